import { beforeAll, expect, it } from 'vitest';
import { copyJob } from '../../testing/bulk-jobs.ts';
import { describeStores } from '../../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS } from '../../testing/job-world.ts';
import type { Signal } from '../../transactions/script.ts';

const OPEN_BREAKER = `insert into breakers (provider, env_scope, failures, open_until)
  values ('bank_a', 'real_test', '[]', 1)`;
const HOLD_BACK = `update jobs set held_until = ${Number.MAX_SAFE_INTEGER} where provider = 'bank_a'`;

describeStores('where a claim looks', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  const claim = (from: number, limit = 10, slots = 100) =>
    world.store.engine.claim({
      owner: 'w',
      leaseMs: LEASE_MS,
      pool: 'real',
      limit,
      slots,
      held: [],
      from,
    });

  const seqOf = async (id: string) => (await world.row(id)).seq;

  it('continues behind what it saw, and goes back where it is told of older jobs', async () => {
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    const first = await world.submit({ organizationId, linkId });
    const second = await world.submit({ organizationId, linkId });
    const last = await world.submit({ organizationId, action: 'tax_portal.s1.login' });
    const { jobs, next } = await claim(0);
    expect(jobs.map(({ id }) => id)).toEqual([first, last]);
    expect(next).toBe((await seqOf(last)) + 1);

    const heard: Signal[] = [];
    const stop = world.store.onSignal((signal) => heard.push(signal));
    for (const job of jobs) await world.finish('w', job);
    stop();
    const seq = await seqOf(second);
    expect(heard).toContainEqual({ kind: 'ready', pool: 'real', seq });
    expect(await claim(next)).toEqual({ jobs: [], next });
    expect((await claim(seq)).jobs.map(({ id }) => id)).toEqual([second]);
  });

  it('stays at the oldest job that an organization may not have yet (D16)', async () => {
    const [big, small] = [await world.organization(), await world.organization()];
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await world.submit({ organizationId: big }));
    const other = await world.submit({ organizationId: small });
    const { jobs, next } = await claim(0, 4, 4);
    expect(jobs.map(({ id }) => id)).toEqual([ids[0], ids[1], ids[2], other]);
    expect(next).toBe(await seqOf(String(ids[3])));
    expect((await claim(next)).jobs.map(({ id }) => id)).toEqual([ids[3]]);
  });

  it.each([
    ['that an open breaker holds back', OPEN_BREAKER],
    ['that may not start yet', HOLD_BACK],
  ])('finds a job that became ready behind a great many %s (D16)', async (_, holdBack) => {
    const organizationId = await world.organization();
    const linkId = await world.link(organizationId);
    const first = await world.submit({ organizationId, linkId });
    const second = await world.submit({ organizationId, linkId });
    const { jobs } = await claim(0);
    expect(jobs.map(({ id }) => id)).toEqual([first]);
    const id = await world.submit({ organizationId, action: 'bank_a.accounts.list' });
    await copyJob(world.db, stores.dialect, { id, tag: id, lanes: 600, perLane: 1 });
    await stores.execute(holdBack);
    // Promoted after them, and older than all of them.
    await world.store.clock.advance({ seconds: 1 });
    for (const job of jobs) await world.finish('w', job);
    expect((await claim(0)).jobs.map((job) => job.id)).toEqual([second]);
    await stores.execute('delete from breakers');
    await stores.execute("delete from jobs where provider = 'bank_a'");
  });

  it('passes over no older job of one institution for another while a breaker is open (D16)', async () => {
    const organizationId = await world.organization();
    const submit = (provider: string) =>
      world.submit({ organizationId, action: `${provider}.accounts.list` });
    await stores.execute(OPEN_BREAKER);
    const ids = [await submit('bank_b'), await submit('bank_b'), await submit('bank_b')];
    ids.push(await submit('bank_c'), await submit('bank_b'));
    let from = await seqOf(String(ids[0]));
    const taken: string[] = [];
    while (taken.length < ids.length) {
      const { jobs, next } = await claim(from, taken.length === 1 ? 2 : 1);
      expect(jobs).not.toEqual([]);
      taken.push(...jobs.map(({ id }) => id));
      from = next;
    }
    expect(taken).toEqual(ids);
    expect(from).toBe((await seqOf(String(ids.at(-1)))) + 1);
    await stores.execute('delete from breakers');
  });

  it('leaves no free slot empty where an organization could hold more than its share (D16)', async () => {
    const organizationId = await world.organization();
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await world.submit({ organizationId }));
    let from = await seqOf(String(ids[0]));
    const taken: string[] = [];
    for (let more: true | undefined = true; more; ) {
      const claimed = await claim(from, 4 - taken.length, 4);
      ({ next: from, more } = claimed);
      taken.push(...claimed.jobs.map(({ id }) => id));
    }
    expect(taken).toEqual(ids);
  });
});
