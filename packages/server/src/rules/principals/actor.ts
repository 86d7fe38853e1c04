import type { PrincipalKind } from '@changgu/contract';
import type { Principal } from './principal.ts';

/** Who acts, and the trace id of the request that it is part of. */
export interface Actor {
  readonly kind: PrincipalKind;
  readonly id: string;
  readonly traceId: string | null;
}

/** A principal as the audit room writes it. */
export function actorOf({ kind, id }: Pick<Principal, 'kind' | 'id'>, traceId: string): Actor {
  return { kind, id, traceId };
}
