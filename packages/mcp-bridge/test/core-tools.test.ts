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

  it('says how many tokens are left of the day and the month, whichever is less (D40, D46)', async () => {
    expect(await remainingWith({ quotaMonthAfter: left(7, 'month') })).toBe(7);
    const [day, month] = [left(3, 'day'), left(7, 'month')];
    expect(await remainingWith({ quotaAfter: day, quotaMonthAfter: month })).toBe(3);
    const short = left(0, 'month');
    expect(await remainingWith({ quotaAfter: day, quotaMonthAfter: short })).toBe(0);
    expect(await remainingWith({})).toBe('unlimited');
  });
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
