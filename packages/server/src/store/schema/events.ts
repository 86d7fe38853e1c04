import type { EnvScope, EventType } from '@changgu/contract';
import type { Generated } from 'kysely';

export interface EventTables {
  /** Read in the order of `tx` and `seq`, and only below the oldest open transaction. */
  events: {
    seq: Generated<number>;
    /** The transaction that wrote it; 0 on SQLite, whose writers are serial. */
    tx: Generated<number>;
    organization_id: number;
    /** Null for an event without an environment. */
    env_scope: EnvScope | null;
    type: EventType;
    job_id: string | null;
    account_link_id: string | null;
    /** JSON: further ids of the event's subject. */
    subject: string | null;
    /** JSON: states, times and counts; no text of an institution or a person. */
    data: string;
    at: number;
  };
}
