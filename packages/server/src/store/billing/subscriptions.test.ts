import { beforeAll, expect, it } from 'vitest';
import { kstTime } from '../../rules/kst.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';

const ACTOR = { kind: 'system', id: 'test', traceId: null } as const;
const at = (day: string) => Date.parse(`${day}T10:00:00+09:00`);

describeStores('the periods of a subscription', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  const set = (organizationId: number, status: 'ACTIVE' | 'PAUSED') =>
    world.store.subscriptions.set({
      organizationId,
      planCode: 'TEST',
      tier: 'PAID',
      status,
      actor: ACTOR,
    });

  const change = (id: number, row: Record<string, number>) =>
    world.db.updateTable('subscriptions').set(row).where('id', '=', id).execute();

  /** Renews it as often and answers the days on which its periods ended. */
  async function endsOf(organizationId: number, id: number, count: number): Promise<string[]> {
    const ends: string[] = [];
    while (ends.length < count) {
      await change(id, { renews: 1 });
      expect(await world.store.subscriptions.endPeriods()).toBe(true);
      const latest = await world.store.subscriptions.latest({ organizationId });
      ends.push(kstTime(latest?.periodEnd ?? 0).slice(0, 16));
    }
    return ends;
  }

  it('end on the day of the month on which the first one began (D115)', async () => {
    const organizationId = await world.organization();
    const { id } = await set(organizationId, 'ACTIVE');
    await change(id, {
      created_at: at('2025-01-31'),
      current_period_start: at('2025-01-31'),
      current_period_end: at('2025-02-28'),
    });
    expect(await endsOf(organizationId, id, 4)).toEqual([
      '2025-03-31T10:00',
      '2025-04-30T10:00',
      '2025-05-31T10:00',
      '2025-06-30T10:00',
    ]);
    await set(organizationId, 'PAUSED');
  });

  it('end on the day on which it was resumed after its period was over (D115)', async () => {
    const organizationId = await world.organization();
    const { id } = await set(organizationId, 'ACTIVE');
    await set(organizationId, 'PAUSED');
    await change(id, { created_at: at('2025-01-15'), current_period_end: at('2025-02-15') });
    const resumed = await set(organizationId, 'ACTIVE');
    const { resumed_at: resumedAt } = await world.db
      .selectFrom('subscriptions')
      .select('resumed_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(resumedAt).toBe(resumed.periodStart);
    await change(id, { resumed_at: at('2025-03-31'), current_period_end: at('2025-04-30') });
    expect(await endsOf(organizationId, id, 2)).toEqual(['2025-05-31T10:00', '2025-06-30T10:00']);
  });

  it('are all ended that are over, also one that a renewal has only just begun (D115)', async () => {
    const organizationId = await world.organization();
    const { id } = await set(organizationId, 'ACTIVE');
    await change(id, {
      renews: 1,
      created_at: at('2025-01-15'),
      current_period_end: at('2025-02-15'),
    });
    while (await world.store.subscriptions.endPeriods());
    const latest = await world.store.subscriptions.latest({ organizationId });
    expect(latest).toMatchObject({ status: 'EXPIRED', periodEnd: at('2025-03-15') });
  });
});
