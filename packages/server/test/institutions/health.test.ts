import { Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/job-failure.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const LIST = 'bank_a.accounts.list';

let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer();
});
afterAll(() => real[Symbol.asyncDispose]());

async function institution(provider: string, env = 'real_test') {
  const { body } = await real.server.call('GET', '/v1/institutions', { env });
  return body.items.find((item: { provider: string }) => item.provider === provider);
}

async function queue(provider: string) {
  const operator = new Changgu({ baseUrl: real.server.url, token: real.server.adminToken });
  const { institutions } = await operator.admin.serviceState();
  return institutions.find((each) => each.provider === provider && each.envScope === 'real_test');
}

describe('GET /v1/institutions', () => {
  it('names every institution with its actions (D139)', async () => {
    const { body } = await real.server.call('GET', '/v1/institutions', { env: 'real_test' });
    expect(body.env_scope).toBe('real_test');
    expect(body.items).toHaveLength(7);
    expect(await institution('bank_a')).toMatchObject({
      name: 'A은행',
      configured: true,
      state: 'HEALTHY',
      maintenance: false,
      retry_at: null,
      actions: [{ action: LIST }, {}],
    });
  });

  it('reports an institution that is down, except in sandbox, and lets jobs wait (D139, D156)', async () => {
    const logins = ['down1', 'down2', 'down3', 'down4', 'down5'];
    const links = await Promise.all(
      logins.map((login) => real.linkLogin('bank_a', `${login}x0503`, 'demo1234!')),
    );
    const run = (accountLinkId: string | undefined) =>
      real.client.jobs.run({ action: LIST, accountLinkId: accountLinkId ?? '' });
    expect(await failureOf(run(links[0]))).toMatchObject({ code: 'PROVIDER_MAINTENANCE' });
    expect(await institution('bank_a')).toMatchObject({ state: 'DEGRADED', maintenance: true });
    await Promise.all(links.slice(1).map((link) => failureOf(run(link))));
    const down = await institution('bank_a');
    expect(down).toMatchObject({ state: 'DOWN', maintenance: true });
    expect(Date.parse(down.retry_at)).toBeGreaterThan(Date.now());
    expect(await institution('bank_b')).toMatchObject({ state: 'HEALTHY' });
    expect(await institution('bank_a', 'sandbox')).toMatchObject({ state: 'HEALTHY' });

    const waiting = await real.client.jobs.submit({ action: LIST });
    expect((await real.client.jobs.get(waiting.id)).status).toBe('QUEUED');
    expect(await queue('bank_a')).toMatchObject({
      envScope: 'real_test',
      state: 'DOWN',
      queued: 1,
      running: 0,
      oldestQueuedAt: expect.any(String),
      breaker: { state: 'OPEN', failures: 5, lastCode: 'PROVIDER_MAINTENANCE' },
    });
    expect(await queue('bank_b')).toMatchObject({
      queued: 0,
      oldestQueuedAt: null,
      breaker: { state: 'CLOSED', failures: 0, retryAt: null, lastCode: null },
    });
    await real.advance(31);
    expect(await waiting.result()).toMatchObject({ data: { success: true } });
    expect(await institution('bank_a')).toMatchObject({ state: 'HEALTHY' });
  });
});
