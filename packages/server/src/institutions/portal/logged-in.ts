import { isJsonObject } from '@changgu/contract';
import type { Call, JsonObject } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import type { PortalPage } from './page.ts';
import { openPortal, type Portal, type PortalFace } from './portal.ts';

/**
 * Works at a portal with the link's login session and keeps it for the next call. A session
 * that the portal has ended is deleted.
 * @throws InstitutionError AUTH_REQUIRED, PROVIDER_SESSION_EXPIRED
 */
export async function loggedIn<Result>(
  call: Call,
  face: PortalFace,
  work: (portal: Portal, state: JsonObject) => Promise<Result>,
): Promise<Result> {
  const state = await call.session.require();
  const portal = openPortal(call, insideSession(face), cookiesOf(state));
  try {
    const result = await work(portal, state);
    // A session that could not be extended must not cost the result.
    await call.session.save({ ...state, cookies: portal.cookies() }).catch(() => {});
    return result;
  } catch (error) {
    if (hasEnded(error)) await call.session.clear().catch(() => {});
    throw error;
  }
}

/** Some portals show their login page in place of any other once a session has ended. */
function insideSession(face: PortalFace): PortalFace {
  const { loginForm } = face;
  if (loginForm === undefined) return face;
  const ended = (page: PortalPage) =>
    page.$(loginForm).length === 0 ? null : { text: '로그인이 필요합니다.', code: null };
  return { ...face, message: (page) => face.message(page) ?? ended(page) };
}

function hasEnded(error: unknown): boolean {
  return error instanceof InstitutionError && error.code === 'PROVIDER_SESSION_EXPIRED';
}

/** The cookies that a session stores. */
export function cookiesOf(state: JsonObject): JsonObject {
  const { cookies } = state;
  return isJsonObject(cookies) ? cookies : {};
}

export function cookieCount(cookies: JsonObject): number {
  return cookieNames(cookies).length;
}

/** The cookie names in a jar returned by `Portal.cookies`. */
export function cookieNames({ cookies }: JsonObject): string[] {
  if (!Array.isArray(cookies)) return [];
  return cookies.filter(isJsonObject).map(({ key }) => String(key));
}
