import type { EnvScope, EventType } from '@changgu/contract';
import { sql } from 'kysely';
import { compiled, type SlotOf } from './compiled.ts';
import type { Transaction } from './script.ts';

/** What has become true. Ids, states, times and counts only: it leaves the service for whoever listens. */
export interface NewEvent {
  readonly organizationId: number;
  /** Null where it is of no environment. */
  readonly envScope: EnvScope | null;
  readonly type: EventType;
  readonly jobId?: string;
  readonly accountLinkId?: string;
  /** Further ids of what it is about. */
  readonly subject?: Readonly<Record<string, string | number>>;
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
  /** Business time in milliseconds; now where it is not said. */
  readonly at?: number;
}

/** Tells an organization what the caller's transaction makes true: both happen, or neither. */
export async function appendEvent(tx: Transaction, ...events: readonly NewEvent[]): Promise<void> {
  for (const event of events) {
    await insertEvent(tx, {
      organizationId: event.organizationId,
      envScope: event.envScope,
      type: event.type,
      jobId: event.jobId ?? null,
      accountLinkId: event.accountLinkId ?? null,
      subject: event.subject ? JSON.stringify(event.subject) : null,
      data: JSON.stringify(event.data ?? {}),
      at: event.at ?? null,
    });
  }
  signalEvents(tx, events);
}

interface EventValues {
  readonly organizationId: number;
  readonly envScope: EnvScope | null;
  readonly type: EventType;
  readonly jobId: string | null;
  readonly accountLinkId: string | null;
  readonly subject: string | null;
  readonly data: string;
  readonly at: number | null;
}

/** Built once: on SQLite it is part of every submission. */
const insertEvent = compiled((tx, slot: SlotOf<EventValues>) =>
  tx.db.insertInto('events').values({
    organization_id: slot('organizationId'),
    env_scope: slot('envScope'),
    type: slot('type'),
    job_id: slot('jobId'),
    account_link_id: slot('accountLinkId'),
    subject: slot('subject'),
    data: slot('data'),
    at: sql<number>`coalesce(cast(${slot('at')} as bigint), ${tx.clock})`,
  }),
);

/** Wakes whoever reads the events of these organizations. */
export function signalEvents(
  tx: Transaction,
  events: readonly { readonly organizationId: number }[],
): void {
  for (const organizationId of new Set(events.map((event) => event.organizationId))) {
    tx.signal({ kind: 'event', organizationId });
  }
}
