import type { EnvScope, EventRecord, EventType } from '@changgu/contract';
import { sql } from 'kysely';
import { compiled, type SlotOf } from './compiled.ts';
import type { Transaction } from './script.ts';

/** Something that has become true. Ids, states, times and counts only, because it leaves the service. */
export type NewEvent = EventFacts & TypedData;

/** A type of event and the data that the contract defines for it. */
export type TypedData = TypedDataOf<EventRecord>;
type TypedDataOf<Event> = Event extends EventRecord
  ? Readonly<Pick<Event, 'type' | 'data'>>
  : never;

export interface EventFacts {
  readonly organizationId: number;
  /** Null for an event without an environment. */
  readonly envScope: EnvScope | null;
  readonly jobId?: string;
  readonly accountLinkId?: string;
  /** Further ids of its subject. */
  readonly subject?: Readonly<Record<string, string | number>>;
  /** Business time in milliseconds; defaults to now. */
  readonly at?: number;
}

/** Adds an event in the caller's transaction: both are committed, or neither. */
export async function appendEvent(tx: Transaction, ...events: readonly NewEvent[]): Promise<void> {
  for (const event of events) {
    await insertEvent(tx, {
      organizationId: event.organizationId,
      envScope: event.envScope,
      type: event.type,
      jobId: event.jobId ?? null,
      accountLinkId: event.accountLinkId ?? null,
      subject: event.subject ? JSON.stringify(event.subject) : null,
      data: JSON.stringify(event.data),
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

/** Built once, because on SQLite it is part of every submission. */
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

/** Wakes readers of these organizations' events. */
export function signalEvents(
  tx: Transaction,
  events: readonly { readonly organizationId: number }[],
): void {
  for (const organizationId of new Set(events.map((event) => event.organizationId))) {
    tx.signal({ kind: 'event', organizationId });
  }
}
