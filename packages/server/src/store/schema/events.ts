import type { EnvScope, EventType } from '@changgu/contract';
import type { Generated } from 'kysely';

export interface EventTables {
  /** Read in the order of `tx` and `seq`, and only below the oldest open transaction. */
  events: {
    seq: Generated<number>;
    /** The transaction that wrote it; 0 on SQLite, whose writers are serial. */
    tx: Generated<number>;
    organization_id: number;
    /** Null where the event is of no environment. */
    env_scope: EnvScope | null;
    type: EventType;
    job_id: string | null;
    account_link_id: string | null;
    /** JSON: further ids of what the event is about. */
    subject: string | null;
    /** JSON: states, times and counts; nothing of an institution or a person. */
    data: string;
    at: number;
  };
}
