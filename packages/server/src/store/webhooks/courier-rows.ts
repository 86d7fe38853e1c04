import type { DeliveryKind, EnvScope, EventType } from '@changgu/contract';
import { type Selectable, sql } from 'kysely';
import {
  EVENT_COLUMNS,
  type EventPosition,
  eventOf,
  type StoredEvent,
} from '../events/event-scripts.ts';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

/** An endpoint that this process delivers to until its lease ends. */
export interface HeldWebhook {
  readonly id: string;
  readonly organizationId: number;
  readonly url: string;
  readonly eventTypes: readonly EventType[];
  readonly envScope: EnvScope;
  /** Sealed. */
  readonly keys: Uint8Array;
  readonly keyVersion: number;
  readonly failingSince: number | null;
  /** Up to where there are deliveries. */
  readonly position: EventPosition;
  /** What is sent again; null when nothing is. */
  readonly replay: ReplayRange | null;
}

export interface ReplayRange {
  readonly position: EventPosition;
  readonly end: EventPosition;
  readonly from: number;
  readonly to: number;
}

/** A delivery whose time has come. */
export interface DueDelivery {
  readonly seq: number;
  readonly kind: DeliveryKind;
  /** Before this one. */
  readonly attempts: number;
  /** Null when it is kept no more. */
  readonly event: StoredEvent | null;
}

export interface ClaimQuery {
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Something happened there. */
  readonly organizationIds: readonly number[];
  /** Signals may have been missed: look for unread events. */
  readonly everywhere: boolean;
}

export const COURIER_COLUMNS = [
  'id',
  'organization_id',
  'url',
  'event_types',
  'env_scope',
  'keys',
  'key_version',
  'failing_since',
  'tx',
  'seq',
  'replay_tx',
  'replay_seq',
  'replay_end_tx',
  'replay_end_seq',
  'replay_from',
  'replay_to',
] as const;

type Row = Pick<Selectable<Database['webhooks']>, (typeof COURIER_COLUMNS)[number]>;

export function heldOf(row: Row): HeldWebhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types),
    envScope: row.env_scope,
    keys: row.keys,
    keyVersion: row.key_version,
    failingSince: row.failing_since,
    position: { tx: row.tx, seq: row.seq },
    replay: replayOf(row),
  };
}

function replayOf(row: Row): ReplayRange | null {
  const { replay_from: from, replay_to: to } = row;
  if (from === null || to === null) return null;
  return {
    position: { tx: row.replay_tx ?? 0, seq: row.replay_seq ?? 0 },
    end: { tx: row.replay_end_tx ?? 0, seq: row.replay_end_seq ?? 0 },
    from,
    to,
  };
}

/** As a literal, so that the partial index serves it. */
export const IS_PENDING = sql<boolean>`webhook_deliveries.status = 'PENDING'`;

/** The organization is in force: nothing leaves one that was closed or switched off. */
export function isReachable() {
  return sql<boolean>`exists (select 1 from organizations
    where organizations.id = webhooks.organization_id
      and organizations.disabled_at is null and organizations.deleted_at is null)`;
}

/** Endpoints that are due, or whose owner's lease has ended, or that are free while something happens there. */
export function claimable(
  tx: Transaction,
  now: number,
  { organizationIds, everywhere, limit }: ClaimQuery,
) {
  const unread = sql<boolean>`(replay_from is not null or exists (select 1 from events
    where events.organization_id = webhooks.organization_id
      and (events.tx, events.seq) > (webhooks.tx, webhooks.seq)))`;
  return tx.db
    .selectFrom('webhooks')
    .select('id')
    .where('status', '=', 'ENABLED')
    .where((eb) =>
      eb.or([
        eb('wake_at', '<=', now),
        ...(organizationIds.length === 0
          ? []
          : [eb.and([eb('owner', 'is', null), eb('organization_id', 'in', organizationIds)])]),
        ...(everywhere ? [eb.and([eb('owner', 'is', null), unread])] : []),
      ]),
    )
    .where(isReachable())
    .orderBy('wake_at')
    .limit(limit)
    .modifyEnd(tx.dialect.skipLocked);
}

/** What is due, each with its event while that is kept. */
export async function dueDeliveries(
  tx: Transaction,
  webhookId: string,
  now: number,
  limit: number,
): Promise<DueDelivery[]> {
  const rows = await tx.db
    .selectFrom('webhook_deliveries')
    .select(['seq', 'kind', 'attempts', 'event_tx', 'event_seq'])
    .where('webhook_id', '=', webhookId)
    .where(IS_PENDING)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
  const events = await eventsAt(
    tx,
    rows.map((row) => ({ tx: row.event_tx, seq: row.event_seq })),
  );
  return rows.map(({ seq, kind, attempts, event_seq: eventSeq }) => ({
    seq,
    kind,
    attempts,
    event: events.get(eventSeq) ?? null,
  }));
}

async function eventsAt(tx: Transaction, positions: readonly EventPosition[]) {
  if (positions.length === 0) return new Map<number, ReturnType<typeof eventOf>>();
  const rows = await tx.db
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('tx', 'in', [...new Set(positions.map((position) => position.tx))])
    .where('seq', 'in', [...new Set(positions.map(({ seq }) => seq))])
    .execute();
  return new Map(rows.map((row) => [row.seq, eventOf(row)]));
}
