import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, callerWith, logIn, newPerson } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { RATE_LIMIT: '50/3600' } });
});
afterAll(() => server[Symbol.asyncDispose]());

const me = (env: string) => server.call('GET', '/v1/membership/me', { env });

describe('GET /v1/membership/me', () => {
  it('takes one rate token and no quota (R100)', async () => {
    const first = await me('real_test');
    const second = await me('real_test');
    expect(first.body).toMatchObject({ success: true, principal_kind: 'client' });
    expect(first.body.policy_decision_id).toMatch(/^pd_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(second.body.policy_decision_id).not.toBe(first.body.policy_decision_id);
    const [before, after] = [first.body.rate_limit_after, second.body.rate_limit_after];
    expect(after.remaining).toBe(before.remaining - 1);
    expect(after.used).toBe(before.used + 1);
    expect(second.body.quota_after).toEqual(first.body.quota_after);
    expect(first.body.quota_after).toMatchObject({ limit: 100, period: 'day' });
    expect(second.headers.get('ratelimit')).toContain(`r=${after.remaining}`);
  });

  it('quota is absent in sandbox; absent keys are not null (D46)', async () => {
    const { body } = await me('sandbox');
    for (const key of ['quota_after', 'quota_month_after', 'demo_ends_at']) {
      expect(body).not.toHaveProperty(key);
    }
    expect(body).toMatchObject({
      organization_id: server.organizationId,
      organization_role: null,
      membership_tier: 'FREE',
      plan_name: 'Free',
      subscription_status: null,
    });
  });

  it('quota_after is absent in production, where the month counts (R100)', async () => {
    const owner = callerWith(
      server,
      await logIn(server, server.console.email, server.console.password),
    );
    await callerWith(server, server.adminToken)(
      'POST',
      `/v1/admin/organizations/${server.organizationId}/subscription`,
      { plan_code: 'STANDARD' },
    );
    const { body: key } = await owner('POST', '/v1/app-credentials', {
      label: 'production',
      allowed_env_scopes: ['production'],
    });
    const authorization = `Basic ${Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64')}`;
    const read = (env: string) =>
      server.call('GET', '/v1/membership/me', { env, headers: { authorization } });
    const { body } = await read('production');
    expect(body).not.toHaveProperty('quota_after');
    expect(body.quota_month_after).toMatchObject({ limit: 10_000, used: 0, period: 'month' });
    expect(body).toMatchObject({ membership_tier: 'PAID', plan_name: 'Standard' });
    expect((await read('real_test')).body.error.code).toBe('POLICY_ENV_NOT_ALLOWED');
  });

  it('only clients must name an environment; operators belong nowhere (D110)', async () => {
    const read = (headers: Record<string, string>) =>
      fetch(new URL('/v1/membership/me', server.url), { headers });
    const { authorization = '' } = server.headers();
    expect((await read({ authorization })).status).toBe(400);
    const person = await newPerson(server);
    expect(await (await read(bearer(person.token))).json()).toMatchObject({
      principal_kind: 'console_user',
      organization_role: 'OWNER',
    });
    const admin = await (await read(bearer(server.adminToken))).json();
    expect(admin).toMatchObject({ principal_kind: 'admin_user', membership_tier: null });
    expect(admin).not.toHaveProperty('organization_id');
    const legacy = await (await read({ 'x-api-key': server.legacyApiKey })).json();
    expect(legacy).toMatchObject({ principal_kind: 'legacy_api_key' });
    expect(legacy.quota_after.limit).toBe(100);
  });

  it('the process limit is per principal, and says when it opens again (D43)', async () => {
    let answer = await me('sandbox');
    while (answer.status === 200) answer = await me('sandbox');
    expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const admin = await server.call('GET', '/v1/membership/me', {
      headers: bearer(server.adminToken),
    });
    expect(admin.status).toBe(200);
    for (const path of ['/health', '/openapi.json']) {
      const { authorization = '' } = server.headers();
      const open = await fetch(new URL(path, server.url), { headers: { authorization } });
      expect([path, open.status]).toEqual([path, 200]);
    }
  });
});
