import pg from 'pg';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { readJob } from '../../jobs/read.ts';
import { failed, type Outcome } from '../../rules/endings/endings.ts';
import { WAITING_FOR_INSTITUTION } from '../../rules/jobs/progress.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';

const UPSTREAM = failed({ code: 'PROVIDER_UPSTREAM_ERROR', irreversible: false });

/** The transaction that locked or changed the row last. */
const LAST_LOCK = 'select xmax::text as xmax from jobs where id = ?';

describeStores('circuit breakers (D139, D156)', (stores) => {
  let world: JobWorld;
  let organizationId: number;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
  });

  const submit = (action: string, envScope: 'real_test' | 'sandbox' = 'real_test') =>
    world.submit({ organizationId, action, envScope });

  it('holds back jobs of a failing institution, then tries one, then resumes all', async () => {
    for (let i = 0; i < 5; i += 1) await submit('bank_a.accounts.list');
    const failing = await world.claim('w');
    expect(failing).toHaveLength(5);
    for (const job of failing) await world.finish('w', job, UPSTREAM);

    const first = await submit('bank_a.accounts.list');
    const second = await submit('bank_a.accounts.list');
    const other = await submit('bank_c.accounts.list');
    const claimed = await world.claim('w');
    expect(claimed.map(({ id }) => id)).toEqual([other]);
    expect(await world.store.breakers.list()).toEqual([
      expect.objectContaining({ provider: 'bank_a', envScope: 'real_test', trialJobId: null }),
    ]);
    expect(await world.store.breakers.nominateTrials()).toBe(0);
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    const job = await readJob(world.store, access, second);
    expect(job).toMatchObject({ status: 'QUEUED', progress_message: WAITING_FOR_INSTITUTION });

    await world.store.clock.advance({ seconds: 31 });
    expect(await world.store.breakers.nominateTrials()).toBe(1);
    expect(await world.store.breakers.nominateTrials()).toBe(0);
    const [trial, ...others] = await world.claim('w');
    expect([trial?.id, others]).toEqual([first, []]);
    if (trial) await world.finish('w', trial);
    expect(await world.store.breakers.list()).toEqual([]);
    expect((await world.claim('w')).map(({ id }) => id)).toEqual([second]);
  });

  it('nominates another trial when the one before it ended unnoticed', async () => {
    for (let i = 0; i < 5; i += 1) await submit('bank_b.accounts.list');
    for (const job of await world.claim('w')) await world.finish('w', job, UPSTREAM);
    const vanished = await submit('bank_b.accounts.list');
    const waiting = await submit('bank_b.accounts.list');
    await world.store.clock.advance({ seconds: 31 });
    expect(await world.store.breakers.nominateTrials()).toBe(1);
    // Ended between being chosen and being written down: nothing told the breaker.
    await world.db
      .updateTable('jobs')
      .set({ status: 'CANCELED', ready: 0, finished_at: 1 })
      .where('id', '=', vanished)
      .execute();
    expect(await world.claim('w')).toEqual([]);
    expect(await world.store.breakers.nominateTrials()).toBe(1);
    const [trial] = await world.claim('w');
    expect(trial?.id).toBe(waiting);
    if (trial) await world.finish('w', trial);
    expect(await world.store.breakers.list()).toEqual([]);
  });

  it('shares the slots fairly among the jobs that an open breaker leaves (D16)', async () => {
    for (let i = 0; i < 5; i += 1) await submit('si_edi.s1.login');
    for (const job of await world.claim('w')) await world.finish('w', job, UPSTREAM);
    await submit('si_edi.s1.login');
    const other = await world.organization();
    const greedy = [];
    for (let i = 0; i < 6; i += 1) greedy.push(await submit('bank_c.accounts.list'));
    const modest = [
      await world.submit({ organizationId: other, action: 'bank_c.accounts.list' }),
      await world.submit({ organizationId: other, action: 'bank_d.accounts.list' }),
    ];
    const claimed = await world.claim('w', { limit: 4, slots: 4 });
    expect(claimed.map(({ id }) => id)).toEqual([...greedy.slice(0, 2), ...modest]);
    await world.db.deleteFrom('breakers').execute();
    for (const job of [...claimed, ...(await world.claim('w'))]) await world.finish('w', job);
  });

  it('gives a free slot to a trial job before more than its share to another organization (D16, D156)', async () => {
    for (let i = 0; i < 5; i += 1) await submit('bank_a.accounts.list');
    for (const job of await world.claim('w')) await world.finish('w', job, UPSTREAM);
    const greedy = [];
    for (let i = 0; i < 4; i += 1) greedy.push(await submit('bank_c.accounts.list'));
    const other = await world.organization();
    const trial = await world.submit({ organizationId: other, action: 'bank_a.accounts.list' });
    await world.store.clock.advance({ seconds: 31 });
    expect(await world.store.breakers.nominateTrials()).toBe(1);
    const running = await world.claim('w', { limit: 2, slots: 4 });
    expect(running.map(({ id }) => id)).toEqual(greedy.slice(0, 2));
    const held = [[organizationId, 2]] as const;
    const claimed = await world.claim('w', { limit: 2, slots: 4, held });
    expect(new Set(claimed.map(({ id }) => id))).toEqual(new Set([trial, greedy[2]]));
    for (const job of [...running, ...claimed, ...(await world.claim('w'))]) {
      await world.finish('w', job);
    }
    expect(await world.store.breakers.list()).toEqual([]);
  });

  it('tries a failing institution with a job that may start, not with one that is held back', async () => {
    const other = await world.organization();
    const linkId = await world.link(other, 'tax_portal');
    const action = 'tax_portal.c1.certificates_list';
    for (let i = 0; i < 5; i += 1) await submit('tax_portal.s1.login');
    for (const job of await world.claim('w')) await world.finish('w', job, UPSTREAM);
    const held = await world.submit({ organizationId: other, action, linkId });
    const free = await submit('tax_portal.s1.login');
    await world.store.clock.advance({ seconds: 31 });
    await world.db
      .updateTable('jobs')
      .set({ held_until: (await world.store.clock.now()) + 60_000 })
      .where('id', '=', held)
      .execute();
    expect(await world.store.breakers.nominateTrials()).toBe(1);
    const [trial] = await world.claim('w');
    expect(trial?.id).toBe(free);
    if (trial) await world.finish('w', trial);
    await world.db.deleteFrom('jobs').where('id', '=', held).execute();
  });

  it('neither reads nor locks what an open breaker holds back, however small the tables are', async () => {
    for (let i = 0; i < 5; i += 1) await submit('bank_a.accounts.list');
    for (const job of await world.claim('w')) await world.finish('w', job, UPSTREAM);
    const held = await submit('bank_a.accounts.list');
    const other = await submit('bank_c.accounts.list');
    const last = async () => (await stores.execute(LAST_LOCK, [held]))[0]?.xmax;
    const before = stores.dialect === 'postgres' && (await last());
    expect((await world.claim('w')).map(({ id }) => id)).toEqual([other]);
    expect(stores.dialect === 'postgres' && (await last())).toBe(before);
    await world.db.deleteFrom('breakers').execute();
    for (const job of await world.claim('w')) await world.finish('w', job);
  });

  it.runIf(stores.dialect === 'postgres')(
    'hears a portal that asks to be left alone while a success closes its breaker',
    async () => {
      const action = 'bank_a.accounts.list';
      const [failing, asked] = [await submit(action), await submit(action)];
      const jobs = new Map((await world.claim('w')).map((job) => [job.id, job]));
      const end = (id: string, outcome: Outcome) => {
        const job = jobs.get(id);
        if (job === undefined) throw new Error('was not claimed');
        return world.finish('w', job, outcome);
      };
      await end(failing, UPSTREAM);
      const success = new pg.Client(await stores.url());
      await success.connect();
      onTestFinished(() => success.end());
      await success.query("begin; select from breakers where provider = 'bank_a' for update");
      const leaveAlone = { ms: 600_000, envScopes: ['real_test' as const] };
      const ending = end(asked, { ...UPSTREAM, leaveAlone });
      const waits = `select 1 from pg_locks where not granted and pid in
        (select pid from pg_stat_activity where datname = current_database())`;
      await vi.waitFor(
        async () => expect((await success.query(waits)).rowCount).not.toBe(0),
        10_000,
      );
      await success.query('delete from breakers; commit');
      await ending;
      expect(await world.store.breakers.list()).toEqual([
        expect.objectContaining({ provider: 'bank_a', openUntil: expect.any(Number) }),
      ]);
      await world.db.deleteFrom('breakers').execute();
    },
  );

  it('never stops sandbox jobs', async () => {
    for (let i = 0; i < 6; i += 1) await submit('bank_d.accounts.list', 'sandbox');
    for (const job of await world.claim('w', { pool: 'sandbox', limit: 5 })) {
      await world.finish('w', job, UPSTREAM);
    }
    expect(await world.claim('w', { pool: 'sandbox' })).toHaveLength(1);
    expect(await world.store.breakers.list()).toEqual([]);
  });
});
