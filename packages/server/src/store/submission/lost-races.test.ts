import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import { laneOf } from '../queue/lane-lock.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';
import { markUnlinked } from '../testing/seed.ts';

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
    const submitted = Promise.allSettled([world.submit({ organizationId, linkId })]);
    try {
      const waiting = `select 1 from pg_locks join pg_database on oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`;
      await vi.waitFor(async () => expect((await holder.query(waiting)).rowCount).toBe(1));
      await meanwhile(linkId);
    } finally {
      await holder.end();
    }
    const [answer] = await submitted;
    return { organizationId, answer };
  }

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
      const plenty = 899_998;
      const { organizationId, answer } = await submitAround(
        () =>
          world.db
            .updateTable('usage')
            .set({ used: plenty + 1 })
            .where('used', '=', plenty)
            .execute(),
        plenty,
      );
      expect(answer).toMatchObject({ status: 'fulfilled' });
      expect(Object.values(await world.used(organizationId))).toEqual([900_000, 900_000]);
      const warnings = world.db
        .selectFrom('events')
        .where('organization_id', '=', organizationId)
        .where('type', '=', 'quota.low');
      expect(await warnings.select('type').execute()).toHaveLength(2);
    },
  );
});
