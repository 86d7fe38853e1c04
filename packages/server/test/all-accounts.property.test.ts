import type { AllAccountsLine, AllAccountsResponse } from '@changgu/contract/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDemoOrganization } from '../src/dev/demo-organization.ts';
import { describeStores, type TestStores } from '../src/store/testing/describe-stores.ts';
import { seedBankAccount, seedLink } from '../src/store/testing/seed.ts';
import {
  AllAccountsModel,
  MODEL_ACTIONS,
  type ModelAnswer,
  type ModelBank,
  type ModelCall,
  type ModelJob,
} from './support/all-accounts-model.ts';
import { type Answer, startTestServer, type TestServer } from './support/start-server.ts';

const CAP = 4;
const LIMIT = 14;

const small = fc.nat(11);
const bank = fc.constantFrom<ModelBank>('bank_b', 'bank_b', 'bank_b', 'bank_d');
/** Few keys and few differences, so that replays, conflicts and races are common. */
const call = fc.record({
  key: fc.nat(4),
  bank,
  variant: fc.constantFrom(0, 0, 0, 1),
  link: fc.option(small, { freq: 4 }),
  accounts: fc.option(fc.array(small, { minLength: 1, maxLength: 4 }), { freq: 2 }),
});
type Wish = typeof call extends fc.Arbitrary<infer T> ? T : never;

const act = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('call'), call }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('at once'),
      calls: fc.array(call, { minLength: 2, maxLength: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add account'), which: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add link'), bank }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unlink account'), which: small }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('single submit'), which: small }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel'), which: small }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('run'), fail: fc.boolean() }) },
);
type Accepted = Extract<ModelAnswer, { lines: unknown }>;
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

describeStores('all-accounts against its model', (stores) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        DATABASE_URL: await stores.url(),
        ROLE: 'api',
        BANK_PRODUCT_CAP: String(CAP),
        REAL_TEST_DAILY_TOKENS: String(LIMIT),
      },
      simulated: { has: () => true, urlOf: async () => 'http://127.0.0.1:9' },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('to R83 answers what the model answers, and never makes a job or uses a token more (R63)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 25 }), async (acts) => {
        const world = await openWorld(stores, server);
        for (const each of acts) await world.run(each);
        expect(await world.clear()).toBe(0);
      }),
      // What races is not repeated by shrinking, which only hides the failure behind the time limit.
      { numRuns: 15, endOnFailure: true },
    );
  }, 120_000);
});

/** A fresh organization, and the model of it. */
async function openWorld(stores: TestStores, server: TestServer) {
  const demo = await createDemoOrganization(server.core, { links: false });
  const { organization_id: organizationId, client } = demo;
  const authorization = `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`;
  const model = new AllAccountsModel(CAP, LIMIT);
  /** The model's job behind each id. */
  const jobs = new Map<string, ModelJob>();
  let submits = 0;

  function post(path: string, key: string, body: object): Promise<Answer> {
    return server.call('POST', path, { env: 'real_test', key, body, headers: { authorization } });
  }

  async function addLink(of: ModelBank): Promise<void> {
    const id = await seedLink(stores, organizationId, { provider: of });
    model.links.push({ id, bank: of });
  }

  async function addAccount(which: number): Promise<void> {
    const link = at(model.links, which);
    if (link === undefined) return;
    const id = await seedBankAccount(stores, link.id);
    model.accounts.push({ id, linkId: link.id, bank: link.bank, linked: true });
  }

  async function unlinkAccount(which: number): Promise<void> {
    const account = at(model.accounts, which);
    if (account === undefined) return;
    await stores.execute(
      "update bank_accounts set status = 'UNLINKED', unlinked_at = 1 where id = ?",
      [account.id],
    );
    model.unlink(account);
  }

  function modelCall(wish: Wish): ModelCall {
    return {
      key: `key-${wish.key}`,
      bank: wish.bank,
      variant: wish.variant,
      linkId: wish.link === null ? null : (at(model.links, wish.link)?.id ?? null),
      accountIds:
        wish.accounts?.flatMap((which) => at(model.accounts, which)?.id ?? 'nobody') ?? null,
    };
  }

  function send(each: ModelCall): Promise<Answer> {
    const { action } = MODEL_ACTIONS[each.bank];
    return post('/v1/jobs/all-accounts', each.key, {
      provider: each.bank,
      action,
      account_link_id: each.linkId,
      bank_account_credential_ids: each.accountIds,
      params: { variant: each.variant },
    });
  }

  async function callOnce(wish: Wish): Promise<void> {
    const each = modelCall(wish);
    const expected = model.answer(each);
    const { status, body } = await send(each);
    expect(status).toBe(expected.status);
    if ('code' in expected) {
      expect(body.error.code).toBe(expected.code);
    } else {
      checkAnswer(body);
      expect(Object.hasOwn(body, 'interruption')).toBe(false);
      expect(body.accounts.map(shown)).toEqual(expected.lines.map(expectedLine));
      checkJobs(expected, body);
    }
    model.accept(each, expected);
    learn(each, body);
    await checkTotals();
  }

  /** A line's job is the one that the model knows; a new one is not known yet. */
  function checkJobs(expected: Accepted, body: AllAccountsResponse): void {
    for (const [index, { job }] of expected.lines.entries()) {
      const id = body.accounts[index]?.job_id ?? '';
      expect(jobs.get(id)).toBe(job === 'new' || job === null ? undefined : job);
    }
  }

  function learn({ key }: ModelCall, body: Partial<AllAccountsResponse>): void {
    for (const line of body.accounts ?? []) {
      const job = model.jobs.get(`${key} ${line.bank_account_credential_id}`);
      if (line.job_id !== null && job !== undefined) jobs.set(line.job_id, job);
    }
  }

  /** No order explains calls that interleave link by link, but these rules hold for all of them. */
  async function callAtOnce(wishes: readonly Wish[]): Promise<void> {
    const calls = wishes.map(modelCall);
    const room = { bank_b: model.room('bank_b'), bank_d: model.room('bank_d') };
    const answers = await Promise.all(calls.map(send));
    const fresh = { bank_b: 0, bank_d: 0 };
    for (const [index, { status, body }] of answers.entries()) {
      expect([200, 202, 404, 409, 429]).toContain(status);
      const each = calls[index];
      if (each === undefined || body.accounts === undefined) continue;
      checkAnswer(body);
      for (const { job_id: id, status: state, ...line } of body.accounts as AllAccountsLine[]) {
        if (id === null) continue;
        const name = `${each.key} ${line.bank_account_credential_id}`;
        const known = model.jobs.get(name);
        if (known === undefined) {
          const job = { bank: each.bank, linkId: line.account_link_id, status: state };
          model.requests.set(each.key, `${each.bank} ${each.variant}`);
          model.add(name, job);
          jobs.set(id, job);
          fresh[each.bank] += 1;
        }
        expect(jobs.get(id)).toBe(model.jobs.get(name));
      }
    }
    expect(fresh.bank_b).toBeLessThanOrEqual(room.bank_b);
    expect(fresh.bank_d).toBeLessThanOrEqual(room.bank_d);
    expect(model.used).toBeLessThanOrEqual(LIMIT);
    await checkTotals();
  }

  async function submitOne(which: number): Promise<void> {
    const account = at(model.accounts, which);
    if (account === undefined || !account.linked) return;
    const { action, tokens } = MODEL_ACTIONS[account.bank];
    submits += 1;
    const { status, body } = await post('/v1/jobs', `key-${submits % 5}-single-${submits}`, {
      provider: account.bank,
      action,
      account_link_id: account.linkId,
      params: { bank_account_credential_id: account.id },
    });
    expect(status).toBe(model.used + tokens > LIMIT ? 429 : 202);
    if (status !== 202) return;
    const job = { bank: account.bank, linkId: account.linkId, status: 'QUEUED' };
    model.add(`single ${submits}`, job);
    jobs.set(body.job_id, job);
  }

  async function cancel(which: number): Promise<void> {
    const queued = [...jobs].filter(([, job]) => job.status === 'QUEUED');
    const [id, job] = at(queued, which) ?? [];
    if (id === undefined || job === undefined) return;
    const headers = { authorization };
    const path = `/v1/jobs/${id}/cancel`;
    const { status } = await server.call('POST', path, { env: 'real_test', headers });
    expect(status).toBe(200);
    model.cancel(job);
  }

  /** Runs the head of every lane to its end. */
  async function runHeads(fail: boolean): Promise<void> {
    const { engine } = server.core.store;
    const claim = { owner: 'w', leaseMs: 60_000, limit: 100, slots: 200, held: [] } as const;
    const status = fail ? 'FAILED' : 'SUCCEEDED';
    for (const job of (await engine.claim({ ...claim, pool: 'real' })).jobs) {
      const error = fail ? '{"code":"PROVIDER_VALIDATION_ERROR"}' : null;
      await engine.finish({
        ...job,
        owner: 'w',
        outcome: { status, error, result: null, resultAsFile: false },
        artifacts: [],
        steps: [],
        suspension: null,
      });
      const known = jobs.get(job.id);
      if (known !== undefined) known.status = status;
    }
  }

  /** Neither jobs nor tokens that the model does not know. */
  async function checkTotals(): Promise<void> {
    const [row] = await stores.execute('select count(*) as n from jobs where organization_id = ?', [
      organizationId,
    ]);
    expect(Number(row?.n)).toBe(model.jobs.size);
    const used = await stores.execute(
      "select used from usage where organization_id = ? and env_scope = 'real_test'",
      [organizationId],
    );
    for (const period of used) expect(Number(period.used)).toBe(model.used);
  }

  await addLink('bank_b');
  await addLink('bank_b');
  for (const which of [0, 1, 0]) await addAccount(which);

  return {
    async run(each: Act): Promise<void> {
      if ('call' in each) return callOnce(each.call);
      if ('calls' in each) return callAtOnce(each.calls);
      if ('bank' in each) return addLink(each.bank);
      if ('fail' in each) return runHeads(each.fail);
      if (each.kind === 'add account') return addAccount(each.which);
      if (each.kind === 'unlink account') return unlinkAccount(each.which);
      return each.kind === 'cancel' ? cancel(each.which) : submitOne(each.which);
    },
    /** Leaves nothing to claim for the next organization. Answers how many jobs are unfinished. */
    async clear(): Promise<number> {
      while ([...jobs.values()].some(({ status }) => status === 'QUEUED')) await cancel(0);
      await checkTotals();
      const [row] = await stores.execute(
        `select count(*) as n from jobs where organization_id = ? and finished_at is null`,
        [organizationId],
      );
      return Number(row?.n);
    },
  };
}

/** What holds for every answer, whatever it says. */
function checkAnswer(body: AllAccountsResponse): void {
  const open = body.accounts.filter(({ job_id: id }) => id === null);
  expect(body.account_count).toBe(body.accounts.length);
  expect(body.submitted_count).toBe(body.accounts.length - open.length);
  expect(body.next?.bank_account_credential_ids ?? []).toEqual(
    open.map((line) => line.bank_account_credential_id),
  );
  for (const line of body.accounts) {
    expect(line.status === 'NOT_SUBMITTED').toBe(line.job_id === null);
    expect(line.reason === null).toBe(line.job_id !== null);
  }
}

function shown(line: AllAccountsLine): string {
  return `${line.account_link_id} ${line.bank_account_credential_id} ${line.status} ${line.reason}`;
}

function expectedLine({ linkId, accountId, job }: Accepted['lines'][number]): string {
  const line = `${linkId} ${accountId}`;
  if (job === null) return `${line} NOT_SUBMITTED over_concurrency_limit`;
  return `${line} ${job === 'new' ? 'QUEUED' : job.status} null`;
}

/** One of them, whatever the number. */
function at<T>(items: readonly T[], which: number): T | undefined {
  return items[which % items.length];
}
