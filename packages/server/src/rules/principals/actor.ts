import type { PrincipalKind } from '@changgu/contract';

/** Where an act comes from: the request that it is part of. */
export interface Origin {
  readonly traceId: string | null;
  readonly address?: string | null;
  readonly userAgent?: string | null;
}

/** Who acts, and where from. */
export interface Actor extends Origin {
  readonly kind: PrincipalKind;
  readonly id: string;
}

/** A principal as the audit log writes it. */
export function actorOf({ kind, id }: Pick<Actor, 'kind' | 'id'>, origin: Origin | string): Actor {
  if (typeof origin === 'string') return { kind, id, traceId: origin };
  const { traceId, address = null, userAgent = null } = origin;
  return { kind, id, traceId, address, userAgent };
}

/** The principal of this key (`client:cli_…`), for what it did in a request that may be long over. */
export function actorNamed(principalKey: string, origin: Origin = { traceId: null }): Actor {
  const colon = principalKey.indexOf(':');
  // Keys are made of a kind, a colon and an id.
  const kind = principalKey.slice(0, colon) as PrincipalKind;
  return { ...origin, kind, id: principalKey.slice(colon + 1) };
}
