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
}

/** A principal in the form of the audit log. */
export function actorOf({ kind, id }: Pick<Actor, 'kind' | 'id'>, origin: Origin | string): Actor {
  if (typeof origin === 'string') return { kind, id, traceId: origin };
  const { traceId, address = null, userAgent = null } = origin;
  return { kind, id, traceId, address, userAgent };
}

/** The principal with this key (`client:cli_…`), for what it did in a request that may have ended long ago. */
export function actorNamed(principalKey: string, origin: Origin = { traceId: null }): Actor {
  const colon = principalKey.indexOf(':');
  // Such keys consist of a kind, a colon and an id.
  const kind = principalKey.slice(0, colon) as PrincipalKind;
  return { ...origin, kind, id: principalKey.slice(colon + 1) };
}
