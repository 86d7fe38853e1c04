import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import { kstDay, nextKstDay } from '../../rules/kst.ts';
import { laneOf } from '../queue/lanes/lane-lock.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, submissionOf } from '../testing/job-world.ts';
import { markUnlinked } from '../testing/seed.ts';
import type { Signal } from '../transactions/script.ts';

describeStores('a submission whose COMMIT is sent with it', (stores) => {
  let world: JobWorld;

  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  /** Submits, and does something once it has been decided and waits for its lane. */
  async function submitAround(meanwhile: (linkId: string) => Promise<unknown>, used?: number) {
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    if (used !== undefined) {
      await world.submit({ organizationId });
      const usage = world.db.updateTable('usage').set({ used });
      await usage.where('organization_id', '=', organizationId).execute();
    }
    const holder = new pg.Client(await stores.url());
    await holder.connect();
    await holder.query('begin');
    const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
    await holder.query(lock, [`lane:${laneOf(linkId, 'real_test')}`]);
    const submitted = Promise.allSettled([
      world.store.jobs.submit(submissionOf({ organizationId, linkId })),
    ]);
    try {
      const waiting = `select 1 from pg_locks join pg_database on oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`;
      await vi.waitFor(async () => expect((await holder.query(waiting)).rowCount).toBe(1), 10_000);
      await meanwhile(linkId);
    } finally {
      await holder.end();
    }
    const [answer] = await submitted;
    return { organizationId, answer };
  }

  it('is refused for want of tokens where a clock set back has counted some for tomorrow', async () => {
    const organizationId = await world.organization();
    const now = await world.store.clock.now();
    for (const day of [kstDay(now), kstDay(nextKstDay(now))]) {
      await stores.execute(
        "insert into usage (organization_id, env_scope, period, used) values (?, 'real_test', ?, 1000000)",
        [organizationId, `day:${day}`],
      );
    }
    await expect(world.submit({ organizationId })).rejects.toMatchObject({
      code: 'POLICY_QUOTA_EXCEEDED',
    });
  });

  // Others may come between its statements on PostgreSQL only.
  it.skipIf(stores.dialect === 'sqlite')(
    'is not accepted when its link went between its statements',
    async () => {
      const { organizationId, answer } = await submitAround((linkId) =>
        markUnlinked(stores, linkId),
      );
      expect(answer).toMatchObject({ status: 'rejected' });
      const jobs = world.db.selectFrom('jobs').where('organization_id', '=', organizationId);
      expect(await jobs.select('id').execute()).toEqual([]);
      expect(await world.used(organizationId)).toEqual({});
    },
  );

  it.skipIf(stores.dialect === 'sqlite')(
    'warns of few tokens once when another one used the last before them',
    async () => {
      await expectWarning(899_998, 899_999);
    },
  );

  it.skipIf(stores.dialect === 'sqlite')(
    'is new and warns of few tokens when the last before them were refunded meanwhile (R1)',
    async () => {
      await expectWarning(900_000, 899_999);
    },
  );

  it.skipIf(stores.dialect === 'sqlite')(
    'does not warn again when more tokens were used meanwhile',
    async () => {
      const { organizationId, answer } = await submitAround(setUsed(900_000, 900_001), 900_000);
      expect(answer).toMatchObject({ value: { kind: 'accepted' } });
      expect(await warningsOf(organizationId)).toEqual([]);
    },
  );

  it.skipIf(stores.dialect === 'sqlite')(
    'is an event that other processes hear of at once',
    async () => {
      const organizationId = await world.organization();
      const other = await stores.open();
      const heard: Signal[] = [];
      other.onSignal((signal) => heard.push(signal));
      await world.submit({ organizationId });
      await vi.waitFor(
        () => expect(heard).toContainEqual({ kind: 'event', organizationId }),
        10_000,
      );
    },
  );

  const setUsed = (before: number, after: number) => () =>
    world.db.updateTable('usage').set({ used: after }).where('used', '=', before).execute();

  const warningsOf = (organizationId: number) =>
    world.db
      .selectFrom('events')
      .select('type')
      .where('organization_id', '=', organizationId)
      .where('type', '=', 'quota.low')
      .execute();

  /** Of the day and of the month, by a submission that reads the first number and charges to the second. */
  async function expectWarning(before: number, meanwhile: number): Promise<void> {
    const { organizationId, answer } = await submitAround(setUsed(before, meanwhile), before);
    expect(answer).toMatchObject({ value: { kind: 'accepted' } });
    expect(Object.values(await world.used(organizationId))).toEqual([900_000, 900_000]);
    expect(await warningsOf(organizationId)).toHaveLength(2);
  }
});
