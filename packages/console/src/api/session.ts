import type { SessionResponse } from '@changgu/contract';
import { signal } from '@preact/signals';
import { clearSecrets, isAnythingEntered } from '../app/typed-text.ts';

/** A member of an organization. The credential is a cookie that no script can read. */
export type PersonSession = SessionResponse & { readonly kind: 'person' };

/** An operator of the service, with a token from `changgu-server admin token`, in memory only. */
export interface OperatorSession {
  readonly kind: 'operator';
  readonly token: string;
  /** Whose token it is; with another one, the screen begins anew. */
  readonly holder: string;
}

export type Session = PersonSession | OperatorSession;

/** Undefined until it is known whether there is one. */
export const session = signal<Session | null | undefined>(undefined);

/** The headers that authenticate a request of this session. */
export function authorization(method: string): Record<string, string> {
  const { value } = session;
  if (value?.kind === 'operator') return { authorization: `Bearer ${value.token}` };
  const token = method === 'GET' ? null : (value?.csrf_token ?? null);
  return token === null ? {} : { 'x-csrf-token': token };
}

/** `ended` by the service, or `left` by the person; `used`: the link that would have begun one was used before. */
export type Farewell = 'ended' | 'left' | 'used';

/** Why there is no session any longer; null when there was none. */
export const farewell = signal<Farewell | null>(null);

/** The service has ended the session, and its screen waits, covered, because something was entered in it. */
export const isInterrupted = signal(false);

export function endSession(why: Farewell): void {
  if (session.value || why === 'used') farewell.value = why;
  session.value = null;
  isInterrupted.value = false;
}

/** The service has ended the session. What was entered waits for whoever entered it. */
export function interruptSession(): void {
  if (isInterrupted.value) return;
  if (!session.value || !isAnythingEntered()) {
    endSession('ended');
    return;
  }
  clearSecrets();
  farewell.value = 'ended';
  isInterrupted.value = true;
}
