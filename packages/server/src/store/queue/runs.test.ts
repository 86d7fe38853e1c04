import { beforeAll, expect, it } from 'vitest';
import { failed, type Outcome } from '../../rules/endings/endings.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, LEASE_MS, SUCCEEDED } from '../testing/job-world.ts';
import { LOGIN_SPACING_MS } from './lanes/login-spacing.ts';

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

  it('keep each its own result and the time that its link must wait (R29, D165)', async () => {
    const { links, jobs } = await running();
    const next = [];
    for (const linkId of links) next.push(await world.submit({ organizationId, linkId }));
    const unclear = failed({ code: 'PROVIDER_UPSTREAM_ERROR', irreversible: false });
    const outcomeOf = (n: number): Outcome =>
      n === 3 ? { ...unclear, spacesLogins: true } : { ...SUCCEEDED, result: Buffer.of(0, 255, n) };
    const ended = await Promise.all(jobs.map((job, n) => world.finish('w', job, outcomeOf(n))));
    expect(ended).not.toContain(false);
    for (const [n, { id }] of jobs.entries()) {
      const { result } = await world.row(id);
      expect(result && [...result]).toEqual(n === 3 ? null : [0, 255, n]);
    }
    const heads = await Promise.all(next.map((id) => world.row(id)));
    expect(heads.map(({ ready }) => ready)).toEqual(Array(LINKS).fill(1));
    const { finished_at } = await world.row(jobs[3]?.id ?? '');
    const held = heads.map(({ held_until }) => held_until);
    expect(held[3]).toBe((finished_at ?? 0) + LOGIN_SPACING_MS);
    expect(held.toSpliced(3, 1)).toEqual(Array(LINKS - 1).fill(null));
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

describeStores('the rows of calls that begin at once', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  it('are those of each call, and never of another organization (R92)', async () => {
    const organizationId = await world.organization();
    const stranger = await world.organization();
    const [first, second] = [await world.link(organizationId), await world.link(organizationId)];
    const credential = Buffer.of(0, 255, 1);
    await world.db
      .updateTable('account_links')
      .set({ credential })
      .where('id', '=', first)
      .execute();
    await world.db
      .insertInto('bank_accounts')
      .values({
        id: 'account',
        organization_id: organizationId,
        account_link_id: second,
        provider: 'bank_b',
        masked_account_no: '1***2',
        is_default: 1,
        status: 'ACTIVE',
        registered_at: 0,
      })
      .execute();
    const read = (query: { organizationId: number; link: string | null; account?: string }) =>
      world.store.engine.readCallRows({
        organizationId: query.organizationId,
        accountLinkId: query.link,
        bankAccountCredentialId: query.account ?? null,
      });
    const [own, both, others, none] = await Promise.all([
      read({ organizationId, link: first }),
      read({ organizationId, link: second, account: 'account' }),
      read({ organizationId: stranger, link: first, account: 'account' }),
      read({ organizationId, link: null }),
    ]);
    expect(own.link).toMatchObject({ id: first, status: 'ACTIVE', authType: 'id_password' });
    expect([...(own.link?.credential ?? [])]).toEqual([...credential]);
    expect(own.account).toBeNull();
    expect(both.link).toMatchObject({ id: second, credential: null });
    expect(both.account).toEqual({
      id: 'account',
      status: 'ACTIVE',
      suspendedCode: null,
      credential: null,
      revision: 1,
      maskedAccountNumber: '1***2',
    });
    for (const rows of [others, none]) expect(rows).toEqual({ link: null, account: null });
  });
});
