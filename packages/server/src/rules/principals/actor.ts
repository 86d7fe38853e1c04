import type { PrincipalKind } from '@changgu/contract';

/** The origin of an act: the request that it belongs to. */
export interface Origin {
  readonly traceId: string | null;
  readonly address?: string | null;
  readonly userAgent?: string | null;
}

/** The origin of a request: what may be guessed is limited by its address. */
export interface RequestOrigin extends Required<Origin> {
  readonly address: string;
}

/** The actor and the origin. */
export interface Actor extends Origin {
  readonly kind: PrincipalKind;
  readonly id: string;
  /** Of a console user's password when the request was admitted; another one has ended what it acts with. */
  readonly passwordEpoch?: number;
}

/** A principal in the form of the audit log. */
export function actorOf(
  { kind, id, passwordEpoch }: Pick<Actor, 'kind' | 'id' | 'passwordEpoch'>,
  { traceId, address = null, userAgent = null }: Origin,
): Actor {
  const who = { kind, id, ...(passwordEpoch === undefined ? {} : { passwordEpoch }) };
  return { ...who, traceId, address, userAgent };
}

/** A person by id alone: before a login, or where a link proves who it is. */
export function userActor(userId: number, origin: Origin): Actor {
  return actorOf({ kind: 'console_user', id: String(userId) }, origin);
}

/** The principal with this key (`client:cli_…`), for what it did in a request that may have ended long ago. */
export function actorNamed(principalKey: string, origin: Origin = { traceId: null }): Actor {
  const colon = principalKey.indexOf(':');
  // Such keys consist of a kind, a colon and an id.
  const kind = principalKey.slice(0, colon) as PrincipalKind;
  return { ...origin, kind, id: principalKey.slice(colon + 1) };
}
