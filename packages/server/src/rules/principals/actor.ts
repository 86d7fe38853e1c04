import type { Actor } from '../../store/transactions/audit.ts';
import type { Principal } from './principal.ts';

/** A principal as the audit room writes it. */
export function actorOf({ kind, id }: Pick<Principal, 'kind' | 'id'>, traceId: string): Actor {
  return { kind, id, traceId };
}
