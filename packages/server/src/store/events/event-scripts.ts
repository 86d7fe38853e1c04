import type { EnvScope, EventType } from '@changgu/contract';
import { type Selectable, sql } from 'kysely';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { read, type Transaction } from '../transactions/script.ts';

/** A position in the sequence of events. */
export interface EventPosition {
  readonly tx: number;
  readonly seq: number;
}

export interface StoredEvent extends EventPosition {
  readonly envScope: EnvScope | null;
  readonly type: EventType;
  readonly jobId: string | null;
  readonly accountLinkId: string | null;
  readonly subject: Readonly<Record<string, string | number>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
}

export interface EventPage {
  /** In order and complete: no event will ever appear before the last of them. */
  readonly events: readonly StoredEvent[];
  /** Some events are committed but held back by an older transaction that is still open. */
  readonly heldBack: boolean;
}

export const eventScripts = {
  /** The events after a position, oldest first. */
  after: read(
    async (
      tx,
      input: EventPosition & { readonly organizationId: number; readonly limit: number },
    ): Promise<EventPage> => {
      const rows = await selectAfter(tx, input);
      const events = rows.filter(({ ended }) => Boolean(ended)).map(eventOf);
      return { events, heldBack: events.length < rows.length };
    },
  ),

  /** The position after everything that can be read now. */
  latest: read(
    async (tx, organizationId: number): Promise<EventPosition> => latestEvent(tx, organizationId),
  ),
};

export async function latestEvent(tx: Transaction, organizationId: number): Promise<EventPosition> {
  const last = await tx.db
    .selectFrom('events')
    .select(['tx', 'seq'])
    .where('organization_id', '=', organizationId)
    .where('tx', '<', tx.dialect.eventHorizon)
    .orderBy('organization_id', 'desc')
    .orderBy('tx', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? { tx: 0, seq: 0 };
}

interface AfterValues extends EventPosition {
  readonly organizationId: number;
  readonly limit: number;
}

/** Read together with the horizon of its own snapshot; events beyond it come last. */
const selectAfter = compiled((tx, slot: SlotOf<AfterValues>) =>
  tx.db
    .selectFrom('events')
    .select(COLUMNS.events)
    .select(sql<boolean | number>`tx < ${tx.dialect.eventHorizon}`.as('ended'))
    .where('organization_id', '=', slot('organizationId'))
    .where(sql<boolean>`(tx, seq) > (${slot('tx')}, ${slot('seq')})`)
    .orderBy('organization_id')
    .orderBy('tx')
    .orderBy('seq')
    .limit(slot('limit')),
);

export const EVENT_COLUMNS = [
  'tx',
  'seq',
  'env_scope',
  'type',
  'job_id',
  'account_link_id',
  'subject',
  'data',
  'at',
] as const;

export function eventOf(
  row: Pick<Selectable<Database['events']>, (typeof EVENT_COLUMNS)[number]>,
): StoredEvent {
  return {
    tx: row.tx,
    seq: row.seq,
    envScope: row.env_scope,
    type: row.type,
    jobId: row.job_id,
    accountLinkId: row.account_link_id,
    subject: row.subject === null ? {} : JSON.parse(row.subject),
    data: JSON.parse(row.data),
    at: row.at,
  };
}
