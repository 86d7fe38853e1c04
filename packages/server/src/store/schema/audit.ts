import type { PrincipalKind } from '@changgu/contract';
import type { Generated } from 'kysely';

export interface AuditTables {
  /** Only ever added to: triggers refuse the rest. */
  audit: {
    id: Generated<number>;
    at: number;
    actor_kind: PrincipalKind;
    actor_id: string;
    organization_id: number | null;
    /** `<subject>.<verb>`. */
    act: string;
    target: string | null;
    /** JSON object without secrets. */
    details: string;
    trace_id: string | null;
    /** Where the request came from; null for acts of the service itself, and of versions before. */
    address: string | null;
    user_agent: string | null;
  };
  /** The seal of each row: a hash chain per organization, in the order of their commits. */
  audit_chain: {
    /** Order of sealing, over all chains. */
    seq: Generated<number>;
    /** Organization id as text, or `service` for acts of no organization. */
    scope: string;
    /** From 1, without a gap. */
    number: number;
    audit_id: number;
    hash: string;
  };
}
