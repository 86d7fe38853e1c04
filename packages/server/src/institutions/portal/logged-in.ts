import { isJsonObject } from '@changgu/contract';
import type { Call, JsonObject } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import type { PortalPage } from './page.ts';
import { openPortal, type Portal, type PortalFace } from './portal.ts';

/**
 * Works at a portal with the link's login session, of which it uses `cookies`, and keeps it for the next call. A
 * session that the portal has ended is deleted.
 * @throws InstitutionError AUTH_REQUIRED, PROVIDER_SESSION_EXPIRED
 */
export async function loggedIn<Result>(
  call: Call,
  face: PortalFace,
  work: (portal: Portal, state: JsonObject) => Promise<Result>,
): Promise<Result> {
  const state = await call.session.require();
  const portal = openPortal(call, insideSession(face), cookiesOf(state));
  // A session that could not be extended must not cost the result.
  const keep = () => keepCookies(call, portal).catch(() => {});
  try {
    const result = await work(portal, state);
    await keep();
    return result;
  } catch (error) {
    const ended = endOfSession(error);
    // The portal may have renewed the cookies before it failed, and then forgets the old ones.
    if (ended === null) await keep();
    else await call.session.clear().catch(() => {});
    throw ended ?? error;
  }
}

/** Beside what the work has saved meanwhile, such as a new token; it may also have deleted the session. */
async function keepCookies({ session }: Call, portal: Portal): Promise<void> {
  const stored = await session.load();
  if (stored !== null) await session.save({ ...stored, cookies: portal.cookies() });
}

/** Some portals show their login page in place of any other once a session has ended. */
export function insideSession(face: PortalFace): PortalFace {
  const { loginForm } = face;
  if (loginForm === undefined) return face;
  const ended = (page: PortalPage) =>
    page.$(loginForm).length === 0 ? null : { text: '로그인이 필요합니다.', code: null };
  return { ...face, message: (page) => face.message(page) ?? ended(page) };
}

/**
 * The failure, if it says that the portal has ended the session; null for any other. Frameworks answer a bare 401
 * where there is no login page to show.
 */
export function endOfSession(error: unknown): InstitutionError | null {
  if (!(error instanceof InstitutionError)) return null;
  if (error.code === 'PROVIDER_SESSION_EXPIRED') return error;
  const { upstreamStatus, message, providerErrorRef } = error.details;
  const isBare = message === undefined && providerErrorRef === undefined;
  if (error.code !== 'PROVIDER_UPSTREAM_ERROR' || upstreamStatus !== 401 || !isBare) return null;
  return new InstitutionError('PROVIDER_SESSION_EXPIRED', { upstreamStatus, cause: error });
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
