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
  };
}
