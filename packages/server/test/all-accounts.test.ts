import { type AllAccountsRound, Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStores } from '../src/store/testing/describe-stores.ts';
import { seedBankAccounts, seedLink } from '../src/store/testing/seed.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const HISTORY = 'bank_b.accounts.transaction_history.search';
const SUMMARY = 'bank_a.accounts.quick_summary.get';

/** The system clock, but without the pause between two rounds. */
const IMPATIENT = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (callback: () => void, ms: number) =>
    ms > 9_000 && ms <= 10_000 ? setImmediate(callback) : setTimeout(callback, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
};

describeStores('all-accounts over the wire', (stores) => {
  /** Its cap is 3, as always in `dev`. */
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: await sharedEnv() });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function sharedEnv() {
    return { DATABASE_URL: await stores.url(), MASTER_KEY: 'ab'.repeat(32) };
  }

  async function link(
    accounts: number,
    provider = 'bank_b',
    { organizationId } = server,
  ): Promise<readonly string[]> {
    const id = await seedLink(stores, organizationId, { provider });
    return seedBankAccounts(stores, id, accounts);
  }

  function call(key: string, body: object = {}, headers: Readonly<Record<string, string>> = {}) {
    const whole = { provider: 'bank_a', action: SUMMARY, ...body };
    return server.call('POST', '/v1/jobs/all-accounts', { key, body: whole, headers });
  }

  async function jobsPerAccount(action: string, { organizationId } = server): Promise<number[]> {
    const rows = await stores.execute(
      `select count(*) as jobs from jobs where organization_id = ? and action = ?
       group by bank_account_credential_id`,
      [organizationId, action],
    );
    return rows.map(({ jobs }) => Number(jobs));
  }

  describe('as HTTP', () => {
    let accounts: readonly string[];

    beforeAll(async () => {
      accounts = await link(2, 'bank_a');
    });

    it('202 with a new line, 200 without one (R65, R77, D31)', async () => {
      const first = await call('r77');
      expect(first.status).toBe(202);
      expect(Object.keys(first.body)).toEqual([
        'env_scope',
        'provider',
        'action',
        'submitted_at',
        'account_count',
        'submitted_count',
        'accounts',
        'next',
      ]);
      expect(first.body).toMatchObject({ account_count: 2, submitted_count: 2, next: null });
      for (const line of first.body.accounts) await server.ended(line.job_id);
      const again = await call('r77');
      expect(again.status).toBe(200);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(first.headers.has('idempotent-replayed')).toBe(false);
      expect(again.body.accounts).toEqual(
        first.body.accounts.map((line: object) => ({ ...line, status: 'SUCCEEDED' })),
      );
    });

    it('each line is read like any job (D72, R84)', async () => {
      const { body } = await call('d72', { params: { note: '메모' } });
      for (const line of body.accounts) {
        await server.ended(line.job_id);
        const { body: result } = await server.call('GET', `/v1/jobs/${line.job_id}/result`);
        expect(result.result.data.params_echo).toEqual({
          note: '메모',
          bank_account_credential_id: line.bank_account_credential_id,
        });
      }
    });

    it.each([
      ['R67 an empty list', { bank_account_credential_ids: [] }, 'too_short'],
      ['R68 the single selector', { bank_account_credential_id: 'x' }, 'extra_forbidden'],
      ['D128 encrypted fields', { encrypted_fields: {} }, 'extra_forbidden'],
      ['R85 an empty link', { account_link_id: '' }, 'string_too_short'],
      ['R15 no action', { action: undefined }, 'missing'],
    ])('%s is 422', async (_name, body, type) => {
      const answer = await call('r67', body);
      expect(answer.status).toBe(422);
      expect(answer.body.error.code).toBe('VALIDATION_INVALID_FIELD');
      expect(answer.body.error.fields).toMatchObject([{ type }]);
    });

    it('treats null as all links, all accounts and no params (R67, R85)', async () => {
      const nothing = { account_link_id: null, bank_account_credential_ids: null, params: null };
      const { status, body } = await call('r85', nothing);
      expect([status, body.account_count]).toEqual([202, accounts.length]);
      for (const line of body.accounts) await server.ended(line.job_id);
    });

    it('needs a key and an environment (R12, R26)', async () => {
      const body = { provider: 'bank_a', action: SUMMARY };
      const noKey = await server.call('POST', '/v1/jobs/all-accounts', { body });
      expect(noKey.body.error.code).toBe('IDEMPOTENCY_KEY_REQUIRED');
      const noScope = await call('r26', {}, { 'x-env-scope': '' });
      expect(noScope.status).toBe(400);
    });

    it('are answered with their codes (R69, R70, R82, R83, D30)', async () => {
      const answers = [
        await call('x', { params: { bank_account_credential_id: 'x' } }),
        await call('x', { action: 'bank_a.accounts.list' }),
        await call('x', { bank_account_credential_ids: [...accounts, 'x'] }),
        await call('x', { account_link_id: 'x' }),
        await call('r77', { params: { other: true } }),
      ];
      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
        [400, 'VALIDATION_INVALID_FIELD'],
        [400, 'VALIDATION_INVALID_FIELD'],
        [404, 'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND'],
        [404, 'BANK_ACCOUNT_PARENT_NOT_FOUND'],
        [409, 'IDEMPOTENCY_KEY_CONFLICT'],
      ]);
    });
  });

  describe('through the SDK', () => {
    function clientOf({ url, client }: TestServer): Changgu {
      return new Changgu({
        baseUrl: url,
        clientId: client.client_id,
        clientSecret: client.client_secret,
        envScope: 'sandbox',
        clock: IMPATIENT,
      });
    }

    it('the resume loop finishes 4 accounts under a cap of 3, one job each (R81)', async () => {
      const accounts = await link(4, 'bank_c');
      const action = 'bank_c.accounts.transaction_history.search';
      await using client = clientOf(server);
      const rounds: AllAccountsRound[] = [];
      for await (const round of client.jobs.allAccountsRounds({ action })) rounds.push(round);
      expect(rounds[0]).toMatchObject({ accountCount: 4, submittedCount: 3 });
      expect(rounds[0]?.next?.bankAccountCredentialIds).toEqual([accounts[0]]);
      expect(rounds.at(-1)?.next).toBeNull();
      expect(await jobsPerAccount(action)).toEqual([1, 1, 1, 1]);
    });

    it('200 accounts of four links under a cap of 60, one job and one result each (R81)', async () => {
      await using other = await startTestServer({
        env: { ...(await sharedEnv()), BANK_PRODUCT_CAP: '60' },
      });
      await using client = clientOf(other);
      for (let n = 0; n < 4; n += 1) await link(50, 'bank_b', other);
      const seen = new Set<string>();
      for await (const outcome of client.jobs.allAccounts({ action: HISTORY })) {
        expect(outcome.ok && outcome.result.data).toMatchObject({
          params_echo: { bank_account_credential_id: outcome.bankAccountCredentialId },
        });
        seen.add(outcome.bankAccountCredentialId);
      }
      expect(seen.size).toBe(200);
      expect(await jobsPerAccount(HISTORY, other)).toEqual(Array(200).fill(1));
    }, 60_000);
  });
});
