import type { SessionResponse } from '@changgu/contract';
import { ApiError } from './api-error.ts';
import { type AnswerOf, call, send } from './call.ts';
import { endSession, farewell, interruptSession, isInterrupted, session } from './session.ts';
import { holderOf } from './token-holder.ts';

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

/**
 * Tries the token first, with what operators alone may call: no other becomes a session.
 * @throws ApiError 401 where the token is not valid, 403 where it is not an operator's
 */
export async function logInAsOperator(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await call('listOrganizations', { query: { limit: 1 }, headers });
  session.value = { kind: 'operator', token, holder: holderOf(token) };
  isInterrupted.value = false;
  farewell.value = null;
}

let oneTimeToken = takeOneTimeToken();

/**
 * The session from an earlier visit, or the one that a development server's link grants once.
 * @throws ApiError, OfflineError when it is not known whether there is one
 */
export async function restoreSession(): Promise<void> {
  const isUsed = oneTimeToken !== null && !(await enterOnce(oneTimeToken));
  oneTimeToken = null;
  await refreshSession();
  if (isUsed && session.value === null) endSession('used');
  tellTabs();
}

/**
 * Reads again whose session it is. Without an answer it stays as it was.
 * @throws ApiError, OfflineError
 */
export async function refreshSession(): Promise<void> {
  const current = await call('readSession').catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  });
  if (current) begin(current);
  else interruptSession();
}

/** The same where the next reason to look may do as well. */
export async function recheckSession(): Promise<void> {
  if (session.value?.kind === 'person') await refreshSession().catch(() => undefined);
}

/** A changed password ends every session; this one continues with another cookie, and the token that belongs to it. */
export function renewSession(answer: AnswerOf<'changePassword'>): void {
  const { value } = session;
  if (value?.kind === 'person' && isOfCookie(answer)) session.value = { ...value, ...answer };
  tellTabs();
}

export async function signOut(): Promise<void> {
  const answer = session.value?.kind === 'person' ? await call('logout', { body: {} }) : null;
  leave();
  // Otherwise the next person at this desk would come in again with one click.
  if (answer?.provider_logout_url) window.location.assign(answer.provider_logout_url);
}

/** The service has ended the session, as the person asked. */
export function leave(): void {
  endSession('left');
  tellTabs('left');
}

const tabs = new BroadcastChannel('changgu.session');

/**
 * The tabs of a browser share the cookie. Where another one signs in or out, this one would show the data of one person
 * under the name of another.
 */
export function watchSession(): void {
  tabs.addEventListener('message', ({ data }) => {
    // Who leaves wants nothing to stay.
    if (data === 'left' && session.value?.kind === 'person') endSession('ended');
    else void recheckSession();
  });
  window.addEventListener('online', () => void recheckSession());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void recheckSession();
  });
}

function tellTabs(news: 'left' | null = null): void {
  tabs.postMessage(news);
}

/** It is after the #, which browsers never send, and is removed from the address before anything else happens. */
function takeOneTimeToken(): string | null {
  const { hash, pathname, search } = window.location;
  const token = /^#once=([\w-]+)$/.exec(hash)?.[1] ?? null;
  if (token !== null) window.history.replaceState(null, '', pathname + search);
  return token;
}

/** False when it was used before. @throws ApiError, OfflineError */
async function enterOnce(token: string): Promise<boolean> {
  const answer = await send(new URL('sign-in-once', document.baseURI), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok && answer.status !== 401) throw new ApiError(answer.status, null);
  return answer.ok;
}

export function enter(answer: AnswerOf<'login' | 'loginWithPasskey'>): void {
  if (!isOfCookie(answer)) return;
  begin(answer);
  tellTabs();
}

function begin(answer: SessionResponse): void {
  const { value: before } = session;
  if (before?.kind === 'person' && !isSamePerson(before, answer)) {
    // What is on the screen, and typed into it, is of the other person, and a slow network would keep it there.
    session.value = undefined;
    window.location.reload();
    return;
  }
  session.value = { ...answer, kind: 'person' };
  isInterrupted.value = false;
  farewell.value = null;
}

function isSamePerson(one: SessionResponse, other: SessionResponse): boolean {
  return (
    one.user.user_id === other.user.user_id &&
    one.organization.organization_id === other.organization.organization_id
  );
}

/** A browser always asks for a cookie, and the answer contains the token that belongs to it. */
function isOfCookie<T extends object>(answer: T): answer is Extract<T, { csrf_token: unknown }> {
  return 'csrf_token' in answer;
}
