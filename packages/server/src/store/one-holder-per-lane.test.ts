import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { describeStores } from './testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from './testing/job-world.ts';
import { notUnique } from './testing/not-unique.ts';

const PROMOTE = 'update jobs set ready = 1, ready_at = 1 where id = ';

describeStores('the holder of a lane', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  async function jobsOfOneLane(count: number): Promise<readonly string[]> {
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    const ids: string[] = [];
    while (ids.length < count) ids.push(await world.submit({ organizationId, linkId }));
    return ids;
  }

  async function claimed(id: string) {
    const job = (await world.claim('w')).find((each) => each.id === id);
    if (job === undefined) throw new Error('was not claimed');
    return job;
  }

  it('is one job, whatever statement tries to make another (R29)', async () => {
    const [first = '', second = '', third = ''] = await jobsOfOneLane(3);
    await expect(stores.execute(`${PROMOTE}?`, [second])).rejects.toEqual(notUnique(stores));
    const job = await claimed(first);
    await expect(stores.execute(`${PROMOTE}?`, [second])).rejects.toEqual(notUnique(stores));
    await world.finish('w', job);
    await expect(stores.execute(`${PROMOTE}?`, [third])).rejects.toEqual(notUnique(stores));
    expect((await world.row(second)).ready).toBe(1);
  });

  it('may be a job that a process of the previous version promoted (R29)', async () => {
    const [first = '', second = ''] = await jobsOfOneLane(2);
    await stores.execute(
      "update jobs set ready = 0, status = 'CANCELED', finished_at = 1 where id = ?",
      [first],
    );
    await stores.execute(`${PROMOTE}?`, [second]);
    const { organization_id: organizationId, account_link_id: linkId } = await world.row(second);
    const third = await world.submit({ organizationId, linkId });
    expect(await world.row(third)).toMatchObject({ ready: 0, waited_behind: 1 });
    await world.finish('w', await claimed(second));
    expect((await world.row(third)).ready).toBe(1);
  });

  it.runIf(stores.dialect === 'postgres')(
    'is one job when two transactions that hold no lock each make one (R29)',
    async () => {
      const [first = '', second = '', third = ''] = await jobsOfOneLane(3);
      await stores.execute(
        "update jobs set ready = 0, status = 'CANCELED', finished_at = 1 where id = ?",
        [first],
      );
      const client = new pg.Client({ connectionString: await stores.url() });
      await client.connect();
      await client.query('begin');
      await client.query(`${PROMOTE}$1`, [third]);
      const [other] = await Promise.allSettled([
        stores.execute(`${PROMOTE}?`, [second]),
        client.query('commit'),
      ]);
      expect(other.status === 'rejected' && other.reason).toEqual(notUnique(stores));
      await client.end();
    },
  );
});
