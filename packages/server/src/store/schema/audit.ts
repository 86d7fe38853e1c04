import type { PrincipalKind } from '@changgu/contract';
import type { Generated } from 'kysely';

export interface AuditTables {
  /** Append-only: triggers refuse any change. */
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
    /** The origin of the request; null for acts of the service itself and of earlier versions. */
    address: string | null;
    user_agent: string | null;
  };
  /** The seal of each row: a hash chain per organization, in commit order. */
  audit_chain: {
    /** Order of sealing across all chains. */
    seq: Generated<number>;
    /** Organization id as text, or `service` for rows without an organization. */
    scope: string;
    /** From 1, without a gap. */
    number: number;
    audit_id: number;
    hash: string;
  };
}
