import type { DeliveryError, DeliveryStatus, EventType } from '@changgu/contract';
import { sql } from 'kysely';
import type { EventPosition } from '../events/event-scripts.ts';
import { read, write } from '../transactions/script.ts';
import {
  type ClaimQuery,
  COURIER_COLUMNS,
  claimable,
  type DueDelivery,
  dueDeliveries,
  type HeldWebhook,
  heldOf,
  IS_PENDING,
  isReachable,
} from './courier-rows.ts';

export interface DeliveryOutcome {
  readonly seq: number;
  readonly status: DeliveryStatus;
  /** Until the next attempt; null when there is none. */
  readonly delayMs: number | null;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: DeliveryError | null;
}

interface Renewal {
  readonly held: readonly { readonly webhookId: string; readonly owner: string }[];
  readonly leaseMs: number;
}

interface Advance {
  readonly owner: string;
  readonly webhookId: string;
  readonly from: EventPosition;
  readonly to: EventPosition;
  readonly kind: 'event' | 'replay';
  /** The range has been read to its end. */
  readonly replayDone?: boolean;
  readonly events: readonly {
    readonly tx: number;
    readonly seq: number;
    readonly type: EventType;
  }[];
}

interface Advanced {
  readonly webhook: HeldWebhook;
  /** Their numbers, by that of the event. */
  readonly deliveries: readonly { readonly seq: number; readonly eventSeq: number }[];
}

/** What the processes do that deliver. Leases and attempts are in real time. */
export const webhookCourierScripts = {
  /** Organizations with endpoints that are switched on, and how many. */
  enabled: read(
    async (tx): Promise<readonly { readonly organizationId: number; readonly count: number }[]> =>
      tx.db
        .selectFrom('webhooks')
        .select(({ fn }) => [
          'organization_id as organizationId',
          fn.countAll<number>().as('count'),
        ])
        .where('status', '=', 'ENABLED')
        .groupBy('organization_id')
        .execute(),
  ),

  /** Takes endpoints that no courier holds and that have something to send, or may have. */
  claim: write(async (tx, input: ClaimQuery): Promise<HeldWebhook[]> => {
    const now = await tx.realNow();
    const rows = await tx.db
      .updateTable('webhooks')
      .set({ owner: input.owner, wake_at: now + input.leaseMs })
      .where('id', 'in', claimable(tx, now, input))
      .returning(COURIER_COLUMNS)
      .execute();
    return rows.map(heldOf);
  }),

  /** Prolongs the leases, and tells how the endpoints are set now; those that are missing are lost. */
  renew: write(async (tx, { held, leaseMs }: Renewal): Promise<HeldWebhook[]> => {
    const rows = await tx.db
      .updateTable('webhooks')
      .set({ wake_at: (await tx.realNow()) + leaseMs })
      .where(
        sql<boolean>`(id, owner) in (select line.value ->> 'webhookId', line.value ->> 'owner'
          from ${tx.dialect.each(JSON.stringify(held))})`,
      )
      .where('status', '=', 'ENABLED')
      .where(isReachable())
      .returning(COURIER_COLUMNS)
      .execute();
    return rows.map(heldOf);
  }),

  /** How long until an endpoint is due or its lease ends; null when none is. */
  nextWake: read(async (tx): Promise<number | null> => {
    const { at } = await tx.db
      .selectFrom('webhooks')
      .select(({ fn }) => fn.min('wake_at').as('at'))
      .where('wake_at', 'is not', null)
      .where('status', '=', 'ENABLED')
      .where(isReachable())
      .executeTakeFirstOrThrow();
    return at === null ? null : Math.max(0, at - (await tx.realNow()));
  }),

  /** Deliveries whose time has come, and how long until the next one; null when there is none. */
  due: read(
    async (
      tx,
      input: { readonly webhookId: string; readonly limit: number },
    ): Promise<{ readonly due: readonly DueDelivery[]; readonly nextMs: number | null }> => {
      const now = await tx.realNow();
      const due = await dueDeliveries(tx, input.webhookId, now, input.limit);
      const { at } = await tx.db
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('next_attempt_at').as('at'))
        .where('webhook_id', '=', input.webhookId)
        .where(IS_PENDING)
        .where('next_attempt_at', '>', now)
        .executeTakeFirstOrThrow();
      return { due, nextMs: at === null ? null : at - now };
    },
  ),

  /**
   * Makes deliveries of events and moves the place on, both or neither: so each event becomes one delivery,
   * whatever dies. Answers them, and how the endpoint is set now; null when the lease or the range is not held, or when
   * the place is another one: an earlier call did this, and its answer was lost.
   */
  advance: write(async (tx, input: Advance): Promise<Advanced | null> => {
    const { from, to, kind } = input;
    const place =
      kind === 'event'
        ? { tx: to.tx, seq: to.seq }
        : { replay_tx: to.tx, replay_seq: to.seq, ...(input.replayDone ? NO_REPLAY : {}) };
    const moved = await tx.db
      .updateTable('webhooks')
      .set(place)
      .where('id', '=', input.webhookId)
      .where('owner', '=', input.owner)
      .where(isReachable())
      .where(kind === 'event' ? 'tx' : 'replay_tx', '=', from.tx)
      .where(kind === 'event' ? 'seq' : 'replay_seq', '=', from.seq)
      .returning(COURIER_COLUMNS)
      .executeTakeFirst();
    if (moved === undefined) return null;
    const webhook = heldOf(moved);
    if (input.events.length === 0) return { webhook, deliveries: [] };
    const now = await tx.realNow();
    const deliveries = await tx.db
      .insertInto('webhook_deliveries')
      .values(
        input.events.map((event) => ({
          webhook_id: input.webhookId,
          kind,
          event_tx: event.tx,
          event_seq: event.seq,
          event_type: event.type,
          status: 'PENDING' as const,
          created_at: now,
          next_attempt_at: now,
        })),
      )
      .returning(['seq', 'event_seq as eventSeq'])
      .execute();
    return { webhook, deliveries };
  }),

  /** Writes attempts down. What has ended already stays as it is: two may have sent the same. */
  finish: write(async (tx, outcomes: readonly DeliveryOutcome[]): Promise<void> => {
    const now = await tx.realNow();
    const value = (name: keyof DeliveryOutcome, type: string) =>
      sql`cast(line.value ->> ${sql.lit(name)} as ${sql.raw(type)})`;
    await sql`update webhook_deliveries set
      status = line.value ->> 'status',
      attempts = attempts + 1,
      last_attempt_at = cast(${now} as bigint),
      next_attempt_at = cast(${now} as bigint) + ${value('delayMs', 'bigint')},
      duration_ms = ${value('durationMs', 'integer')},
      response_status = ${value('responseStatus', 'integer')},
      response_body = line.value ->> 'responseBody',
      error = line.value ->> 'error'
      from ${tx.dialect.each(JSON.stringify(outcomes))}
      where webhook_deliveries.seq = ${value('seq', 'bigint')}
        and webhook_deliveries.status = 'PENDING'`.execute(tx.db);
  }),

  /** Whether this address of the endpoint fails since now, in real time, or is well again. */
  noteHealth: write(
    async (
      tx,
      input: { readonly webhookId: string; readonly url: string; readonly failing: boolean },
    ): Promise<void> => {
      await tx.db
        .updateTable('webhooks')
        .set({ failing_since: input.failing ? await tx.realNow() : null })
        .where('id', '=', input.webhookId)
        .where('url', '=', input.url)
        .execute();
    },
  ),

  /**
   * Gives an endpoint back, with the place up to which it was read, unless deliveries were made beyond it and the answer
   * was lost. It wakes up when something is due.
   */
  release: write(
    async (
      tx,
      input: {
        readonly owner: string;
        readonly webhookId: string;
        readonly to: EventPosition;
        /** Others should look: there may be more to do. */
        readonly handOver: boolean;
      },
    ): Promise<void> => {
      const isBefore = sql<boolean>`(tx, seq) < (${input.to.tx}, ${input.to.seq})`;
      const released = await tx.db
        .updateTable('webhooks')
        .set((eb) => ({
          tx: sql<number>`case when ${isBefore} then ${input.to.tx} else tx end`,
          seq: sql<number>`case when ${isBefore} then ${input.to.seq} else seq end`,
          owner: null,
          wake_at: eb
            .selectFrom('webhook_deliveries')
            .select(({ fn }) => fn.min('next_attempt_at').as('at'))
            .where('webhook_id', '=', input.webhookId)
            .where(IS_PENDING),
        }))
        .where('id', '=', input.webhookId)
        .where('owner', '=', input.owner)
        .returning('organization_id')
        .executeTakeFirst();
      if (released && input.handOver) {
        tx.signal({ kind: 'webhook', organizationId: released.organization_id });
      }
    },
  ),
};

const NO_REPLAY = {
  replay_tx: null,
  replay_seq: null,
  replay_end_tx: null,
  replay_end_seq: null,
  replay_from: null,
  replay_to: null,
};
