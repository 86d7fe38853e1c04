import { beforeAll, expect, it } from 'vitest';
import type { Claim } from './queue/claims.ts';
import { describeStores } from './testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS } from './testing/job-world.ts';

const SLOTS = 4;

describeStores('a claim that may wait', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  const claim = (limit = SLOTS, from = 0): Promise<Claim> =>
    world.store.engine.claim({
      owner: 'w',
      leaseMs: LEASE_MS,
      pool: 'real',
      limit,
      slots: SLOTS,
      held: [],
      from,
      mayWait: true,
    });

  /** The claim, and whether it waited: PostgreSQL answers at once, and is asked again. */
  async function claimedBy(waiting: Promise<Claim>, change: () => Promise<unknown>) {
    if (stores.dialect === 'postgres') {
      expect((await waiting).jobs).toEqual([]);
      await change();
      return claim();
    }
    // A write behind the claim, so that it has been run when the change comes.
    await world.store.clock.touch();
    await change();
    return waiting;
  }

  const idsOf = ({ jobs }: Claim) => jobs.map(({ id }) => id);

  it('finds at once what is ready', async () => {
    const id = await world.submit({ organizationId: await world.organization() });
    expect(idsOf(await claim())).toEqual([id]);
  });

  it('takes a job with its submission', async () => {
    const organizationId = await world.organization();
    let id = '';
    const claimed = await claimedBy(claim(), async () => {
      id = await world.submit({ organizationId });
    });
    expect(idsOf(claimed)).toEqual([id]);
    expect(await world.row(id)).toMatchObject({ status: 'RUNNING', lease_owner: 'w' });
  });

  it('takes the next job of a lane with the end of the one before, wherever it looked first (R29)', async () => {
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    const first = await world.submit({ organizationId, linkId });
    const second = await world.submit({ organizationId, linkId });
    const { jobs, next } = await claim();
    expect(jobs.map(({ id }) => id)).toEqual([first]);
    const claimed = await claimedBy(claim(SLOTS, next + 1_000), async () => {
      for (const job of jobs) await world.finish('w', job);
    });
    expect(idsOf(claimed)).toEqual([second]);
  });

  it('takes no more jobs than it has slots for', async () => {
    const organizationId = await world.organization();
    const claimed = await claimedBy(claim(1), () =>
      Promise.all([world.submit({ organizationId }), world.submit({ organizationId })]),
    );
    expect(claimed.jobs.length).toBeGreaterThanOrEqual(1);
    if (stores.dialect === 'sqlite') {
      expect(claimed.jobs).toHaveLength(1);
      expect((await claim()).jobs).toHaveLength(1);
    }
  });

  it('is answered with nothing when it is recalled, and another one then takes what comes', async () => {
    const recalled = claim();
    await world.store.clock.touch();
    world.store.recallClaims('sandbox');
    world.store.recallClaims('real');
    expect((await recalled).jobs).toEqual([]);
    const id = await world.submit({ organizationId: await world.organization() });
    expect(idsOf(await claim())).toEqual([id]);
  });

  it('does not wait if it is recalled before it has run', async () => {
    const recalled = claim();
    world.store.recallClaims('real');
    expect((await recalled).jobs).toEqual([]);
    const waiting = claim();
    await world.store.clock.touch();
    world.store.recallClaims('real');
    expect((await waiting).jobs).toEqual([]);
  });

  it('says how long it waited, which does not count towards its lease (D03)', async () => {
    const organizationId = await world.organization();
    const claimed = await claimedBy(claim(), () => world.submit({ organizationId }));
    expect(claimed.jobs).toHaveLength(1);
    if (stores.dialect === 'sqlite') expect(claimed.waitedMs).toBeGreaterThan(0);
    else expect(claimed.waitedMs).toBeUndefined();
  });

  it('is answered with nothing when the store closes', async () => {
    const store = await stores.open();
    const held = { owner: 'w', leaseMs: LEASE_MS, held: [], slots: SLOTS, limit: SLOTS };
    const waiting = store.engine.claim({ ...held, pool: 'sandbox', mayWait: true });
    await store.clock.touch();
    await store.close();
    expect((await waiting).jobs).toEqual([]);
  });
});
