import type { FakeBankAccount, Fault } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import { FakeSetting } from './support/fake-bridge.ts';

const SEARCH = 'bank_c.accounts.transaction_history.search';
const NEVER = { state: 'SUCCEEDED', runningMs: 10 * 3600_000 } as const;
/** Hosts give up at 60 seconds. */
const HOSTS_LIMIT = 60;

function settingWith(accounts: number): FakeSetting {
  const setting = new FakeSetting();
  const all = Array.from({ length: accounts }, (_, index): FakeBankAccount => {
    const id = `acc-${index + 1}`;
    const masked = `****000${index + 1}`;
    const of = { provider: 'bank_c', accountLinkId: 'link-1' };
    return { ...of, bankAccountCredentialId: id, maskedAccountNo: masked };
  });
  setting.service.addBankAccounts(...all);
  return setting;
}

/** More than a call makes requests. */
const silences = (of: Pick<Fault, 'on'> = {}): Fault[] =>
  Array.from({ length: 99 }, () => ({ kind: 'silence', when: 'before', ...of }));

describe('a call ends before its host gives up (R116)', () => {
  it('waits 50 seconds at most for a job, whatever was asked for', async () => {
    const setting = settingWith(1);
    setting.service.willEnd(SEARCH, NEVER);
    const host = await setting.host();
    const call = host.call('bank_c_transactions', { wait_seconds: 500 });
    const { answer, seconds } = await setting.timed(call);
    expect(answer).toMatchObject({ status: 'RUNNING', job_id: expect.any(String) });
    expect(answer.next).toMatchObject([
      { tool: 'job_result', arguments: { job_id: answer.job_id } },
    ]);
    expect(seconds).toBeGreaterThanOrEqual(50);
    expect(seconds).toBeLessThan(52);
  });

  it.each([
    ['session_status', {}],
    ['list_institutions', {}],
    ['job_list', {}],
    ['job_cancel', { job_id: 'job_1' }],
    ['job_result', { job_id: 'job_1', wait_seconds: 0 }],
    ['bank_c_transactions', { wait_seconds: 50 }],
    ['bank_c_transactions', { all_accounts: true, wait_seconds: 50 }],
  ])('%s %j ends when the service says nothing at all', async (tool, args) => {
    const setting = settingWith(1);
    const host = await setting.host();
    setting.service.faults.add(...silences());
    const { answer, seconds } = await setting.timed(host.call(tool, args));
    expect(answer).toMatchObject({ status: 'REFUSED', error: { next_action: expect.any(String) } });
    expect(seconds).toBeLessThan(HOSTS_LIMIT - 5);
  });

  it('takes the time of a slow submission off the wait', async () => {
    const setting = settingWith(1);
    setting.service.willEnd(SEARCH, NEVER);
    setting.service.faults.add({ kind: 'silence', when: 'after', on: /POST \/v1\/jobs$/ });
    const host = await setting.host();
    const call = host.call('bank_c_transactions', { wait_seconds: 50 });
    const { answer, seconds } = await setting.timed(call);
    expect(answer.status).toBe('RUNNING');
    expect(seconds).toBeLessThan(HOSTS_LIMIT - 5);
    expect(setting.service.jobs).toHaveLength(1);
  });

  it.each([
    ['its result', 'SUCCEEDED', '/result'],
    ['the job at all', 'QUEUED', ''],
  ])('names an accepted job where it could not read %s', async (_what, status, part) => {
    const setting = settingWith(1);
    const { faults, jobs } = setting.service;
    const host = await setting.host();
    const on = new RegExp(`^GET /v1/jobs/job_\\w+${part}$`);
    faults.add(...silences({ on }));
    const { answer, seconds } = await setting.timed(host.call('bank_c_transactions'));
    expect(answer).toMatchObject({ status, job_id: jobs[0]?.id });
    expect(answer).not.toHaveProperty('error');
    expect(answer.warnings).toContainEqual(expect.stringContaining('Do not submit it again'));
    expect(seconds).toBeLessThan(HOSTS_LIMIT - 5);
    while (faults.take('GET', `/v1/jobs/${answer.job_id}${part}`));
    const read = await setting.timed(host.follow(answer.next[0]));
    expect(read.answer).toMatchObject({ status: 'SUCCEEDED', job_id: answer.job_id });
    expect(jobs).toHaveLength(1);
  });

  it('ends an all-accounts call in time, also with rounds to come and a silent service', async () => {
    const setting = settingWith(5);
    setting.service.setCap(2).willEnd(SEARCH, NEVER);
    const host = await setting.host();
    const silent = { kind: 'silence', when: 'before', on: /all-accounts/ } as const;
    let rounds = 0;
    setting.service.route(({ path }) => {
      if (path.endsWith('/all-accounts') && ++rounds === 1) setting.service.faults.add(silent);
      return null;
    });
    const call = host.call('bank_c_transactions', { all_accounts: true, wait_seconds: 50 });
    const { answer, seconds } = await setting.timed(call);
    expect(answer.status).toBe('RUNNING');
    expect(answer.data.accounts).toHaveLength(5);
    expect(seconds).toBeLessThan(HOSTS_LIMIT - 5);
  });
});

describe('a call on all accounts, while it runs', () => {
  it('tells its host of each account that ends, and how', async () => {
    const setting = settingWith(3);
    const failure = { state: 'FAILED', code: 'PROVIDER_UPSTREAM_ERROR' } as const;
    setting.service.willEnd(SEARCH, ({ bank_account_credential_id: id = '' }) =>
      id === 'acc-2' ? failure : { state: 'SUCCEEDED' },
    );
    const host = await setting.host();
    const messages: string[] = [];
    const call = host.client.callTool(
      { name: 'bank_c_transactions', arguments: { all_accounts: true, wait_seconds: 50 } },
      { onprogress: ({ message = '' }) => messages.push(message) },
    );
    await setting.timed(call);
    const told = messages.filter((message) => message.includes('('));
    expect(told.map((message) => message.slice(0, message.indexOf(' (')))).toEqual(
      [1, 2, 3].map((done) => `계좌 3개 중 ${done}개 완료`),
    );
    const ends = new Set(told.map((message) => /\((.*)\)/.exec(message)?.[1]));
    expect(ends).toEqual(new Set(['****0001 성공', '****0002 실패', '****0003 성공']));
  });

  it('submits the next accounts as soon as others have ended, without the pause of a full service', async () => {
    const setting = settingWith(6);
    setting.service.setCap(2).willEnd(SEARCH, { state: 'SUCCEEDED', runningMs: 1_000 });
    const host = await setting.host();
    const call = host.call('bank_c_transactions', { all_accounts: true, wait_seconds: 50 });
    const { answer, seconds } = await setting.timed(call);
    expect(answer.status).toBe('SUCCEEDED');
    expect(seconds).toBeLessThan(10);
  });

  it.each([1, 40, 2_000])(
    'answers in time with the handle of its jobs, of %i accounts (R116)',
    async (count) => {
      const setting = settingWith(count);
      setting.service.setCap(count).willEnd(SEARCH, NEVER);
      const host = await setting.host();
      const call = host.call('bank_c_transactions', { all_accounts: true, wait_seconds: 50 });
      const { answer, seconds } = await setting.timed(call);
      expect(answer.status).toBe('RUNNING');
      expect(answer.data.summary).toMatch(new RegExp(`^${count} accounts: `));
      const { accounts } = answer.data;
      expect(new Set(jobsOf(answer)).size).toBe(accounts.length);
      expect(accounts.length < count).toBe(answer.next.at(-1).why.startsWith('shows the accounts'));
      expect(setting.service.jobs).toHaveLength(count);
      expect(seconds).toBeLessThan(HOSTS_LIMIT - 5);
      const handles = await handlesOfAllPages(setting, host, answer);
      expect(handles).toEqual(setting.service.jobs.map(({ id }) => id));
    },
  );
});

/** The jobs of a call's answer and of all pages that it leads to, each in time. */
async function handlesOfAllPages(
  setting: FakeSetting,
  host: Awaited<ReturnType<FakeSetting['host']>>,
  first: Awaited<ReturnType<typeof host.call>>,
): Promise<string[]> {
  const handles = jobsOf(first);
  for (let answer = first; ; ) {
    const page = answer.next.at(-1);
    if (!page.why.startsWith('shows the accounts')) return handles;
    let seconds: number;
    ({ answer, seconds } = await setting.timed(host.follow(page)));
    expect(seconds).toBeLessThan(HOSTS_LIMIT - 5);
    handles.push(...jobsOf(answer));
  }
}

describe('a call that is interrupted after lines were submitted (R119)', () => {
  it.each(['SERVICE_UNAVAILABLE', 'POLICY_QUOTA_EXCEEDED', 'RATE_LIMITED'])(
    'is a result with interruption, also when %s refuses a later round',
    async (code) => {
      const setting = settingWith(3);
      setting.service.setCap(2);
      const host = await setting.host();
      let rounds = 0;
      setting.service.route(({ path }) => {
        const on = /all-accounts/;
        if (path.endsWith('/all-accounts') && ++rounds === 1) {
          const refusals = Array.from(
            { length: 9 },
            () => ({ kind: 'refusal', code, on }) as const,
          );
          setting.service.faults.add(...refusals);
        }
        return null;
      });
      const args = { all_accounts: true, wait_seconds: 50 };
      const params = { name: 'bank_c_transactions', arguments: args };
      const { answer } = await setting.timed(host.client.callTool(params));
      expect(answer.isError).toBe(false);
      const { data, next } = JSON.parse(JSON.stringify(answer.structuredContent));
      expect(data.interruption).toMatchObject({ code, next_action: expect.any(String) });
      const states = data.accounts.map((line: { status: string; reason?: string }) =>
        line.reason ? `${line.status} ${line.reason}` : line.status,
      );
      expect(states.sort()).toEqual(['NOT_SUBMITTED interrupted', 'SUCCEEDED', 'SUCCEEDED']);
      const [open] = next;
      expect(open.arguments.bank_account_credential_ids).toHaveLength(1);
    },
  );

  it('is refused as a whole where nothing was submitted', async () => {
    const setting = settingWith(3);
    const code = 'POLICY_PAID_REQUIRED';
    setting.service.faults.add({ kind: 'refusal', code, on: /all-accounts/ });
    const host = await setting.host();
    const call = host.call('bank_c_transactions', { all_accounts: true });
    const { answer } = await setting.timed(call);
    expect(answer).toMatchObject({ status: 'REFUSED', error: { code } });
    expect(setting.service.jobs).toHaveLength(0);
  });
});

describe('one key for one call, however many rounds it takes (ADR 0020) (D125)', () => {
  const all = { all_accounts: true, request_id: 'month-end', wait_seconds: 50 };

  it('finds its jobs again when another process repeats it', async () => {
    const setting = settingWith(5);
    setting.service.setCap(2);
    const first = await setting.host();
    const { answer } = await setting.timed(first.call('bank_c_transactions', all));
    expect(answer.status).toBe('SUCCEEDED');
    expect(setting.service.jobs).toHaveLength(5);

    const second = await setting.host();
    const repeated = await setting.timed(second.call('bank_c_transactions', all));
    expect(repeated.answer.status).toBe('SUCCEEDED');
    expect(setting.service.jobs).toHaveLength(5);
    expect(jobsOf(repeated.answer)).toEqual(jobsOf(answer));
  });

  it('continues by `next` with what is open, and queries no account twice', async () => {
    const setting = settingWith(5);
    setting.service.setCap(2);
    const first = await setting.host();
    const started = await setting.timed(
      first.call('bank_c_transactions', { all_accounts: true, wait_seconds: 0 }),
    );
    const second = await setting.host();
    const [next] = started.answer.next;
    const rest = { ...next, arguments: { ...next.arguments, wait_seconds: 50 } };
    const { answer } = await setting.timed(second.follow(rest));
    expect(answer.status).toBe('SUCCEEDED');
    expect(setting.service.jobs).toHaveLength(5);
  });

  it('is a new one under a new request_id', async () => {
    const setting = settingWith(2);
    const host = await setting.host();
    for (const request_id of ['one', 'two']) {
      await setting.timed(host.call('bank_c_transactions', { ...all, request_id }));
    }
    expect(setting.service.jobs).toHaveLength(4);
  });

  it('shows what has ended also to a call that does not wait', async () => {
    const setting = settingWith(2);
    const host = await setting.host();
    await setting.timed(host.call('bank_c_transactions', all));
    const { answer } = await setting.timed(
      host.call('bank_c_transactions', { ...all, wait_seconds: 0 }),
    );
    expect(answer.status).toBe('SUCCEEDED');
    expect(answer.next).toBeUndefined();
    expect(answer.data.accounts[0].data).toBeDefined();
  });
});

function jobsOf({ data }: { data: { accounts: { job_id: string }[] } }): string[] {
  return data.accounts.map(({ job_id }) => job_id);
}

describe('an act that cannot be undone', () => {
  const ISSUE = { service: 'tax_portal.c1.vat_standard', request_id: 'r1' };
  const key = { read_only: false, allowed_actions: null, allow_irreversible_tools: true };
  const refusal = { error: { code: 'SERVICE_UNAVAILABLE', message: 'full', retryable: true } };

  it.each([
    ['refused', { status: 503, body: refusal }, 0],
    ['left without an answer of the service', { status: 502, body: 'no upstream' }, 11],
  ])(
    'is asked about again where what was agreed to was %s (D169)',
    async (_what, answer, minutes) => {
      const setting = settingWith(1);
      const { service } = setting;
      service.route(({ path }) =>
        path === '/v1/membership/me' ? { status: 200, body: { key } } : null,
      );
      let refused = 0;
      service.route(({ method, path, headers }) => {
        if (method !== 'POST' || path !== '/v1/jobs' || headers.has('prefer')) return null;
        refused += 1;
        return answer;
      });
      const host = await setting.host();
      const asked = await setting.timed(host.call('run_service', ISSUE));
      expect(asked.answer).toMatchObject({ status: 'CONFIRMATION_REQUIRED' });
      const agreed = await setting.timed(host.follow(asked.answer.next[0]));
      expect(agreed.answer).toMatchObject({ status: 'REFUSED' });
      expect(refused).toBeGreaterThan(0);
      await service.clock.advance(minutes * 60_000);
      const again = await setting.timed(host.call('run_service', ISSUE));
      expect(again.answer).toMatchObject({ status: 'CONFIRMATION_REQUIRED' });
    },
  );
});
