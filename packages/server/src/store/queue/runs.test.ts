import { beforeAll, expect, it } from 'vitest';
import { failed } from '../../rules/endings/endings.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS, SUCCEEDED } from '../testing/job-world.ts';

describeStores('what a run may write', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  it('is nothing once its own process runs the job a second time', async () => {
    const id = await world.submit({ organizationId: await world.organization() });
    const [first] = await world.claim('w');
    await world.loseLease(id);
    const takeOver = { owner: 'w', leaseMs: LEASE_MS, pool: 'real' as const, limit: 1 };
    const [second] = await world.store.engine.takeOver(takeOver);
    if (!first || !second) throw new Error('nothing to run');
    const { engine } = world.store;
    const late = { id, owner: 'w', attempt: first.attempt };
    const progress = { progress: 50, message: null, steps: [] };
    expect(await engine.progress({ ...late, ...progress })).toBe(false);
    expect(await engine.passPointOfNoReturn(late)).toBe('lost');
    await engine.noteRetry({ ...late, message: 'late', upstreamStatus: null });
    expect(await world.finish('w', first)).toBe(false);
    expect(await world.row(id)).toMatchObject({ status: 'RUNNING', retry_count: 1 });

    expect(await engine.passPointOfNoReturn({ ...late, attempt: second.attempt })).toBe('passed');
    expect(await world.finish('w', second)).toBe(true);
  });
});

/** More than one engine connection could end one by one. */
const LINKS = 12;

describeStores('runs that end at once', (stores) => {
  let world: JobWorld;
  let organizationId: number;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
  });

  /** Jobs of as many links, running. */
  async function running() {
    const links = await Promise.all(
      Array.from({ length: LINKS }, () => world.link(organizationId)),
    );
    for (const linkId of links) await world.submit({ organizationId, linkId });
    const jobs = await world.claim('w', { limit: LINKS, slots: LINKS });
    expect(jobs).toHaveLength(LINKS);
    return { links, jobs };
  }

  it('end with their own outcomes, free their lanes, and leave what another run owns (R29, D03)', async () => {
    const { links, jobs } = await running();
    const next = [];
    for (const linkId of links) next.push(await world.submit({ organizationId, linkId }));
    const failure = failed({ code: 'INTERNAL_ERROR', irreversible: false });
    const ended = await Promise.all(
      jobs.map((job, n) => {
        if (n === 0) return world.finish('w', { ...job, attempt: 7 });
        return world.finish('w', job, n === 1 ? failure : SUCCEEDED);
      }),
    );
    expect(ended).toEqual(jobs.map((_, n) => n > 0));
    const states = await Promise.all(jobs.map(({ id }) => world.status(id)));
    expect(states).toEqual(['RUNNING', 'FAILED', ...Array(LINKS - 2).fill('SUCCEEDED')]);
    const heads = await world.claim('w', { limit: LINKS, slots: LINKS });
    expect(heads.map(({ id }) => id)).toEqual(next.slice(1));

    if (stores.dialect === 'sqlite') return;
    const transactions = await stores.execute(
      `select distinct xmin::text from jobs where organization_id = ? and finished_at is not null`,
      [organizationId],
    );
    expect(transactions.length).toBeLessThanOrEqual(2);
  });

  it('tell once that the call they are lines of has finished', async () => {
    const { jobs } = await running();
    await world.db
      .updateTable('jobs')
      .set({ operation: 'all_accounts', idempotency_key: 'one call' })
      .set(({ ref }) => ({ idempotency_account: ref('id') }))
      .where(
        'id',
        'in',
        jobs.map(({ id }) => id),
      )
      .execute();
    await Promise.all(jobs.map((job) => world.finish('w', job)));
    const told = await world.db
      .selectFrom('events')
      .select('data')
      .where('organization_id', '=', organizationId)
      .where('type', '=', 'all_accounts.finished')
      .execute();
    expect(told.map(({ data }) => JSON.parse(data))).toEqual([{ succeeded: LINKS }]);
  });
});
