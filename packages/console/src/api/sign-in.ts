import type { SessionResponse } from '@changgu/contract';
import { call } from './call.ts';
import { session } from './session.ts';

export interface Proof {
  readonly email: string;
  readonly password: string;
  readonly factorCode?: string | undefined;
}

/** @throws ApiError AUTH_FACTOR_REQUIRED when the person has a second factor and gave no code */
export async function logIn({ email, password, factorCode }: Proof): Promise<void> {
  const factor = factorCode === undefined ? {} : { factor_code: factorCode };
  const answer = await call('login', { body: { email, password, ...factor, cookie: true } });
  enter(answer);
}

/** Tries the token first, so that a wrong one never becomes a session. */
export async function logInAsOperator(token: string): Promise<void> {
  await call('readMembership', { headers: { authorization: `Bearer ${token}` } });
  session.value = { kind: 'operator', token };
}

/** The session from an earlier visit, or the one that a development server's link grants once. */
export async function restoreSession(): Promise<void> {
  try {
    const token = takeOneTimeToken();
    if (token !== null) {
      const answer = await fetch(new URL('sign-in-once', document.baseURI), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      });
      if (!answer.ok) throw new Error('the link has been used');
    }
    const current = await call('readSession');
    if (current) begin(current);
    else session.value = null;
  } catch {
    session.value = null;
  }
}

export async function signOut(): Promise<void> {
  const answer = session.value?.kind === 'person' ? await call('logout', { body: {} }) : null;
  session.value = null;
  // Otherwise the next person at this desk would come in again with one click.
  if (answer?.provider_logout_url) window.location.assign(answer.provider_logout_url);
}

/** It is after the #, which browsers never send, and is removed from the address before anything else happens. */
function takeOneTimeToken(): string | null {
  const { hash, pathname, search } = window.location;
  const token = /^#once=([\w-]+)$/.exec(hash)?.[1] ?? null;
  if (token !== null) window.history.replaceState(null, '', pathname + search);
  return token;
}

/** A browser always asks for a cookie, so the answer contains a session. */
export function enter(answer: object): void {
  if (isSession(answer)) begin(answer);
}

function begin(answer: SessionResponse): void {
  session.value = { ...answer, kind: 'person' };
}

function isSession(answer: object): answer is SessionResponse {
  return 'csrf_token' in answer;
}
