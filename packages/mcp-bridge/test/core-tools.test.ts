import type { MembershipInfo } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import type { Bridge } from '../src/bridge.ts';
import { bridgeTo } from './support/bridge.ts';
import { inProcessHost } from './support/in-process-host.ts';

let server: TestServer;
let made: Bridge;

beforeAll(async () => {
  server = await startTestServer({ links: true });
  made = await bridgeTo(server);
});
afterAll(() => server[Symbol.asyncDispose]());

describe('an institution that there is not', () => {
  it.each([
    ['login_help', {}],
    ['search_services', { query: '' }],
  ])('%s says so and which there are, instead of nothing', async (tool, given) => {
    const host = await inProcessHost(made);
    const { status, error, data, next } = await host.call(tool, {
      ...given,
      institution: 'bank_bb',
    });
    expect({ status, code: error?.code }).toEqual({
      status: 'REFUSED',
      code: 'UNKNOWN_INSTITUTION',
    });
    expect(data.institutions).toContain('bank_b');
    const nearest = { tool, arguments: { ...given, institution: 'bank_b' } };
    expect(next).toMatchObject([nearest]);
    const far = await host.call(tool, { ...given, institution: 'nowhere at all' });
    expect(far.error?.code).toBe('UNKNOWN_INSTITUTION');
    expect(far).not.toHaveProperty('next');
  });
});

describe('session_status', () => {
  type Quotas = Pick<MembershipInfo, 'quotaAfter' | 'quotaMonthAfter'>;

  async function remainingWith(quotas: Quotas): Promise<unknown> {
    const { quotaAfter: _day, quotaMonthAfter: _month, ...own } = await made.client.membership.me();
    const me = async () => ({ ...own, ...quotas });
    const client = Object.create(made.client, { membership: { value: { me } } });
    const host = await inProcessHost({ ...made, client });
    return (await host.call('session_status')).data.tokens_remaining;
  }

  const left = (remaining: number, period: 'day' | 'month') => ({
    limit: 100,
    used: 100 - remaining,
    remaining,
    resetAt: '2026-12-01T00:00:00.000+09:00',
    period,
  });

  it('says what a person has to do about a wrong key, and does not lead to itself', async () => {
    const client = { ...server.client, client_secret: 'not-the-secret' };
    const host = await inProcessHost(await bridgeTo({ ...server, client }));
    const refused = await host.call('session_status');
    expect(refused).toMatchObject({
      status: 'REFUSED',
      error: {
        code: 'AUTH_INVALID_CREDENTIALS',
        user_action:
          '터미널에서 `changgu login`을 실행하여 클라이언트 키를 등록한 다음, 이 MCP 서버를 다시 시작하십시오.',
      },
    });
    expect(refused).not.toHaveProperty('next');
    const help = await host.call('login_help');
    expect(help.data.user_action[0]).toContain('이 MCP 서버를 다시 시작');
  });

  it('shows the other links where the accounts of one cannot be read', async () => {
    const { bankAccounts, ...credentials } = made.client.credentials;
    const gone = made.client.jobs.get('job_1');
    await expect(gone).rejects.toMatchObject({ name: 'NotFoundError' });
    let reads = 0;
    const list = async (linkId: string) => {
      if (++reads === 1) await gone;
      return bankAccounts.list(linkId);
    };
    const value = {
      ...credentials,
      list: () => made.client.credentials.list(),
      bankAccounts: { list },
    };
    const client = Object.create(made.client, { credentials: { value } });
    const host = await inProcessHost({ ...made, client });
    const { status, data, warnings } = await host.call('session_status');
    expect(status).toBe('OK');
    const banks = data.links.filter(({ institution }: { institution: string }) =>
      institution.startsWith('bank_'),
    );
    expect(banks.length).toBeGreaterThan(1);
    const read = banks.filter(({ accounts }: { accounts?: object[] }) => accounts !== undefined);
    expect(read).toHaveLength(banks.length - 1);
    expect(warnings).toContain('The accounts of some links could not be read: 1.');
  });

  it('leaves links for tests out in production, which takes none (D160)', async () => {
    const { items, ...page } = await made.client.credentials.list();
    const purposes = ['real', 'test'] as const;
    const links = items.slice(0, 2).map((link, n) => ({ ...link, purpose: purposes[n] }));
    const list = async () => ({ ...page, items: links });
    const value = { list, bankAccounts: made.client.credentials.bankAccounts };
    const client = Object.create(made.client, { credentials: { value } });
    const shown = async (envScope: 'production' | 'real_test') => {
      const host = await inProcessHost({
        ...made,
        client,
        settings: { ...made.settings, envScope },
      });
      const { data } = await host.call('session_status');
      return data.links.map(({ purpose }: { purpose: string }) => purpose);
    };
    expect(await shown('production')).toEqual(['real']);
    expect(await shown('real_test')).toEqual(['real', 'test']);
  });

  it('says how many tokens are left of the day and the month, whichever is less (D40, D46)', async () => {
    expect(await remainingWith({ quotaMonthAfter: left(7, 'month') })).toBe(7);
    const [day, month] = [left(3, 'day'), left(7, 'month')];
    expect(await remainingWith({ quotaAfter: day, quotaMonthAfter: month })).toBe(3);
    const short = left(0, 'month');
    expect(await remainingWith({ quotaAfter: day, quotaMonthAfter: short })).toBe(0);
    expect(await remainingWith({})).toBe('unlimited');
  });
});

describe('an id that names no job', () => {
  it.each(['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'job_', '', '{}'])(
    'is looked up in the list of jobs, and never submitted anew: %j',
    async (job_id) => {
      const host = await inProcessHost(made);
      for (const tool of ['job_result', 'job_cancel']) {
        const { error, next } = await host.call(tool, { job_id });
        expect(error, tool).toMatchObject({ code: 'JOB_NOT_FOUND' });
        expect(JSON.stringify(error)).not.toMatch(/submit|login/);
        expect(next).toMatchObject([{ tool: 'job_list' }]);
      }
    },
  );
});

describe('job_list', () => {
  it('suggests a next page that repeats status and limit, which its cursor belongs to (D15)', async () => {
    const host = await inProcessHost(made);
    for (const request_id of ['one', 'two', 'three']) {
      await host.call('run_service', { service: 'bank_a.accounts.list', params: {}, request_id });
    }
    const seen: string[] = [];
    let page = await host.call('job_list', { status: 'SUCCEEDED', limit: 2 });
    for (;;) {
      expect(page.status).toBe('OK');
      expect(page.data.jobs.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.jobs.map(({ job_id: id }: { job_id: string }) => id));
      if (!page.next) break;
      page = await host.follow(page.next[0]);
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  });
});
