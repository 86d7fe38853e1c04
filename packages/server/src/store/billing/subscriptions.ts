import type { EnvScope } from '@changgu/contract';
import type { MembershipTier, SubscriptionStatus } from '@changgu/contract/schemas';
import type { Selectable } from 'kysely';
import { assertMayMove, periodEnd } from '../../rules/organizations/subscription.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { FREE_PLAN } from '../people/users.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { RetryTransactionError, read, type Transaction, write } from '../transactions/script.ts';

export interface Subscription {
  readonly id: number;
  readonly organizationId: number;
  readonly planCode: string;
  readonly status: SubscriptionStatus;
  readonly envScope: EnvScope;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly canceledAt: number | null;
}

interface Change {
  readonly organizationId: number;
  readonly planCode: string;
  readonly tier: MembershipTier;
  readonly status: SubscriptionStatus;
  readonly actor: Actor;
}

type Row = Selectable<Database['subscriptions']>;

/** Organizations' subscriptions. The organization's row also stores the open one. */
export const subscriptionScripts = {
  /**
   * Changes the state of the open subscription, or opens one. Another plan ends the old subscription first.
   * Activating an active subscription renews it for one more period; repeating the request has no further effect.
   * A paused one continues its period, or begins a new one where that is over.
   * @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE
   */
  set: write(async (tx, input: Change): Promise<Subscription> => {
    const { organizationId, planCode, status } = input;
    await tx.dialect.lock(tx, `subscription:${organizationId}`);
    await requireOrganization(tx, organizationId);
    const open = await findOpen(tx, organizationId);
    const same = open?.plan_code === planCode ? open : undefined;
    if (open && !same) await move(tx, open, 'CANCELED');
    if (!same && status !== 'ACTIVE') throw new ServiceError('CONFLICT_STATE');
    const renews = same?.status === 'ACTIVE' && status === 'ACTIVE';
    const row = same
      ? await move(tx, same, status, renews)
      : await openNew(tx, organizationId, planCode);
    await mirror(tx, row, input.tier);
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'subscription.set',
      target: String(row.id),
      details: { plan_code: planCode, status, renews },
    });
    return subscriptionOf(row);
  }),

  /** An organization's newest subscription, open or ended. */
  latest: read(
    async (tx, { organizationId }: { organizationId: number }): Promise<Subscription | null> => {
      const row = await tx.db
        .selectFrom('subscriptions')
        .select(COLUMNS.subscriptions)
        .where('organization_id', '=', organizationId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? subscriptionOf(row) : null;
    },
  ),

  /** Ends expired periods; without renewal the subscription expires. True while there may be more. */
  endPeriods: write(async (tx): Promise<boolean> => {
    const due = await tx.db
      .selectFrom('subscriptions')
      .select(COLUMNS.subscriptions)
      .where('status', '=', 'ACTIVE')
      .where('current_period_end', '<=', await tx.now())
      .limit(BATCH_ROWS)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    for (const row of due) {
      if (row.renews === 1) await beginNextPeriod(tx, row);
      else await mirror(tx, await move(tx, row, 'EXPIRED'), 'FREE');
      await recordAct(
        tx,
        { kind: 'system', id: 'subscriptions', traceId: null },
        {
          organizationId: row.organization_id,
          act: row.renews === 1 ? 'subscription.renew' : 'subscription.expire',
          target: String(row.id),
        },
      );
    }
    // A period that followed without a gap may be over, too.
    return due.length > 0;
  }),
};

async function findOpen(tx: Transaction, organizationId: number): Promise<Row | undefined> {
  return tx.db
    .selectFrom('subscriptions')
    .select(COLUMNS.subscriptions)
    .where('organization_id', '=', organizationId)
    .where('status', 'in', ['ACTIVE', 'PAUSED'])
    .executeTakeFirst();
}

async function move(
  tx: Transaction,
  row: Row,
  to: SubscriptionStatus,
  renews = false,
): Promise<Row> {
  assertMayMove(row.status, to);
  const moved = await tx.db
    .updateTable('subscriptions')
    .set({
      status: to,
      ...(renews ? { renews: 1 } : {}),
      ...(row.status === 'PAUSED' && to === 'ACTIVE' ? await resumedPeriod(tx, row) : {}),
      ...(to === 'CANCELED' ? { canceled_at: tx.clock } : {}),
    })
    .where('id', '=', row.id)
    // Its period may have ended since it was read.
    .where('status', '=', row.status)
    .returning(COLUMNS.subscriptions)
    .executeTakeFirst();
  if (!moved) throw new RetryTransactionError();
  return moved;
}

/** A pause that outlasted its period ends with a new one, or the next sweep would end what was just resumed. */
async function resumedPeriod(tx: Transaction, row: Row): Promise<Partial<Row>> {
  const now = await tx.now();
  if (row.current_period_end > now) return {};
  const period = { current_period_start: now, current_period_end: periodEnd(now) };
  return { ...period, resumed_at: now, renews: 0 };
}

/** The next period follows without a gap and uses up one renewal. */
async function beginNextPeriod(tx: Transaction, row: Row): Promise<void> {
  const start = row.current_period_end;
  const end = periodEnd(start, row.resumed_at ?? row.created_at);
  await tx.db
    .updateTable('subscriptions')
    .set({ current_period_start: start, current_period_end: end, renews: 0 })
    .where('id', '=', row.id)
    .execute();
  await tx.db
    .updateTable('organizations')
    .set({ period_started_at: start, period_ends_at: end })
    .where('id', '=', row.organization_id)
    .execute();
}

async function openNew(tx: Transaction, organizationId: number, planCode: string): Promise<Row> {
  const now = await tx.now();
  return tx.db
    .insertInto('subscriptions')
    .values({
      organization_id: organizationId,
      plan_code: planCode,
      status: 'ACTIVE',
      env_scope: 'production',
      current_period_start: now,
      current_period_end: periodEnd(now),
      created_at: now,
    })
    .returning(COLUMNS.subscriptions)
    .executeTakeFirstOrThrow();
}

/** An ended subscription leaves the organization on the free plan and records how it ended. */
async function mirror(tx: Transaction, row: Row, tier: MembershipTier): Promise<void> {
  const open = row.status === 'ACTIVE' || row.status === 'PAUSED';
  await tx.db
    .updateTable('organizations')
    .set({
      tier: open ? tier : 'FREE',
      plan_code: open ? row.plan_code : FREE_PLAN,
      subscription_status: row.status,
      period_started_at: open ? row.current_period_start : null,
      period_ends_at: open ? row.current_period_end : null,
    })
    .where('id', '=', row.organization_id)
    .execute();
}

function subscriptionOf(row: Row): Subscription {
  return {
    id: row.id,
    organizationId: row.organization_id,
    planCode: row.plan_code,
    status: row.status,
    envScope: row.env_scope,
    periodStart: row.current_period_start,
    periodEnd: row.current_period_end,
    canceledAt: row.canceled_at,
  };
}
