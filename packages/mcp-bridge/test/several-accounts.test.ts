import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import type { Bridge } from '../src/bridge.ts';
import { bridgeTo } from './support/bridge.ts';
import { FakeSetting } from './support/fake-bridge.ts';
import { inProcessHost } from './support/in-process-host.ts';

const SEARCH = 'bank_c.accounts.transaction_history.search';

describe('an act that cannot be undone, on all accounts', () => {
  let server: TestServer;
  let bridge: Bridge;
  beforeAll(async () => {
    server = await startTestServer({ links: true });
    const made = await bridgeTo(server);
    const search = made.offering.now.services.get(SEARCH);
    if (!search) throw new Error('no search');
    // No institution of ours has such an act; one of a team may.
    const act = { ...search, irreversible: true };
    const services = new Map([...made.offering.now.services, [SEARCH, act]]);
    const now = { ...made.offering.now, services };
    bridge = { ...made, offering: { ...made.offering, now } };
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('submits nothing before a person has agreed, and asks once for the whole call', async () => {
    const host = await inProcessHost(bridge);
    const jobs = async () => (await server.call('GET', '/v1/jobs?limit=100')).body.items.length;
    const args = { service: SEARCH, all_accounts: true, wait_seconds: 20 };
    const asked = await host.call('run_service', args);
    expect(asked).toMatchObject({
      status: 'CONFIRMATION_REQUIRED',
      data: { summary: expect.stringContaining('- 계좌: 등록된 계좌 전부') },
    });
    expect(await jobs()).toBe(0);
    const done = await host.follow(asked.next[0]);
    expect(done).toMatchObject({ status: 'SUCCEEDED' });
    expect(await jobs()).toBe(done.data.accounts.length);
    expect(await host.call('run_service', args)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await jobs()).toBe(done.data.accounts.length);
  });
});

const ARGS = { all_accounts: true, wait_seconds: 40 };

interface ShownLine {
  readonly bank_account_credential_id: string;
  readonly masked_account_no: string;
  readonly status: string;
  readonly reason?: string;
  readonly job_id?: string;
}

const statusesOf = (answer: { data: { accounts: ShownLine[] } }) =>
  Object.fromEntries(
    answer.data.accounts.map(({ bank_account_credential_id: id, status, reason }) => [
      id,
      reason ? `${status} ${reason}` : status,
    ]),
  );

/** Three accounts, of which the second failed without effect the first time. */
function settingWithOneFailure(): FakeSetting {
  const setting = new FakeSetting();
  const accounts = [1, 2, 3].map((n) => ({
    provider: 'bank_c',
    accountLinkId: 'link-1',
    bankAccountCredentialId: `acc-${n}`,
    maskedAccountNo: `****000${n}`,
  }));
  setting.service.addBankAccounts(...accounts);
  let failures = 1;
  setting.service.willEnd(SEARCH, ({ bank_account_credential_id: id }) =>
    id === 'acc-2' && failures-- > 0
      ? { state: 'FAILED', code: 'PROVIDER_MAINTENANCE' }
      : { state: 'SUCCEEDED' },
  );
  return setting;
}

describe('a call on all accounts of which one failed', () => {
  it('runs the failed account again when it is repeated, and no other (D125)', async () => {
    const setting = settingWithOneFailure();
    const host = await setting.host();
    const call = () => setting.timed(host.call('bank_c_transactions', ARGS));
    const { answer: first } = await call();
    expect(first.status).toBe('PARTIAL');
    expect(statusesOf(first)).toEqual({
      'acc-1': 'SUCCEEDED',
      'acc-2': 'FAILED',
      'acc-3': 'SUCCEEDED',
    });
    const { answer: second } = await call();
    expect(second.status).toBe('SUCCEEDED');
    expect(setting.service.jobs).toHaveLength(4);
  });

  it.each([
    [
      'that account',
      true,
      { 'acc-1': 'SUCCEEDED', 'acc-2': 'NOT_SUBMITTED interrupted', 'acc-3': 'SUCCEEDED' },
    ],
    ['the others', false, { 'acc-1': 'SUCCEEDED', 'acc-2': 'SUCCEEDED', 'acc-3': 'SUCCEEDED' }],
  ])(
    'shows every account when the request for %s is refused (R119)',
    async (_, again, expected) => {
      const setting = settingWithOneFailure();
      const host = await setting.host();
      const { answer: first } = await setting.timed(host.call('bank_c_transactions', ARGS));
      const code = 'POLICY_QUOTA_EXCEEDED';
      setting.service.route(({ path, headers }) => {
        const isRerun = headers.get('idempotency-key')?.endsWith('-1') ?? false;
        if (!path.endsWith('/all-accounts') || isRerun !== again) return null;
        return { status: 429, body: { error: { code, message: 'no', retryable: false } } };
      });
      const { answer } = await setting.timed(host.call('bank_c_transactions', ARGS));
      expect(statusesOf(answer)).toEqual(expected);
      expect(answer.data.interruption).toMatchObject({ code });
      const jobs = (of: typeof answer) =>
        of.data.accounts.map((line: ShownLine) => [line.masked_account_no, line.job_id]);
      const kept = jobs(first).filter(([number]: string[]) => number !== '****0002');
      expect(jobs(answer)).toEqual(expect.arrayContaining(kept));
      expect(setting.service.jobs).toHaveLength(again ? 3 : 4);
    },
  );

  it('submits nothing when it only shows further lines, and needs no tokens (R119)', async () => {
    const setting = settingWithOneFailure();
    const host = await setting.host();
    const { answer: first } = await setting.timed(host.call('bank_c_transactions', ARGS));
    setting.service.addBankAccounts({
      provider: 'bank_c',
      accountLinkId: 'link-1',
      bankAccountCredentialId: 'acc-4',
      maskedAccountNo: '****0004',
    });
    const from = (cursor: number) =>
      setting.timed(host.call('bank_c_transactions', { ...ARGS, view: { cursor } }));
    const { answer: again } = await from(0);
    expect(again.data.accounts).toEqual(first.data.accounts);
    expect(setting.service.jobs).toHaveLength(3);
    const error = { code: 'POLICY_QUOTA_EXCEEDED', message: 'no', retryable: false };
    setting.service.route(({ path }) =>
      path.endsWith('/all-accounts') ? { status: 429, body: { error } } : null,
    );
    const { answer: refused } = await from(2);
    expect(refused.data.accounts).toEqual([first.data.accounts[2]]);
    expect(refused.data.interruption).toMatchObject({ code: error.code });
  });

  it('names the accounts in the same order, whichever request is answered first', async () => {
    const setting = settingWithOneFailure();
    const host = await setting.host();
    await setting.timed(host.call('bank_c_transactions', ARGS));
    const { answer } = await setting.timed(host.call('bank_c_transactions', ARGS));
    expect(Object.keys(statusesOf(answer))).toEqual(['acc-1', 'acc-2', 'acc-3']);
  });
});

describe('a call that selects accounts in two ways', () => {
  const one = { bank_account_credential_id: 'acc-1' };
  const some = { bank_account_credential_ids: ['acc-1', 'acc-2'] };
  const all = { all_accounts: true };

  interface Selection {
    readonly bank_account_credential_id?: string;
    readonly bank_account_credential_ids?: readonly string[];
    readonly all_accounts?: boolean;
  }

  /** Through the service's own tool, and through the one for every service. */
  const ways: readonly ((selection: Selection) => [tool: string, args: Record<string, unknown>])[] =
    [
      (selection) => ['bank_c_transactions', { ...selection }],
      ({ bank_account_credential_id: id, ...own }) => [
        'run_service',
        {
          service: SEARCH,
          ...own,
          ...(id === undefined ? {} : { params: { bank_account_credential_id: id } }),
        },
      ],
    ];

  it.each([
    [{ ...some, ...all }],
    [{ ...one, ...all }],
    [{ ...one, ...some }],
    [{ ...one, ...some, ...all }],
    [{ ...one, ...some, all_accounts: false }],
    [{ bank_account_credential_ids: [] }],
  ])('is refused, and nothing is submitted: %j (R67, R112)', async (args: Selection) => {
    const setting = settingWithOneFailure();
    const host = await setting.host();
    for (const way of ways) {
      const { answer } = await setting.timed(host.call(...way(args)));
      expect(answer).toMatchObject({ status: 'REFUSED', error: { code: 'INVALID_ARGUMENTS' } });
      expect(answer.error.message).toContain('bank_account_credential_id');
    }
    expect(setting.service.jobs).toHaveLength(0);
  });

  it.each([
    [{ ...one, all_accounts: false }, 1],
    [{ ...some, all_accounts: false }, 2],
    [{ ...all }, 3],
  ])('is none with all_accounts: false, or alone: %j (R112)', async (args: Selection, jobs) => {
    for (const way of ways) {
      const setting = settingWithOneFailure();
      const host = await setting.host();
      await setting.timed(host.call(...way(args)));
      expect(setting.service.jobs).toHaveLength(jobs);
    }
  });
});
