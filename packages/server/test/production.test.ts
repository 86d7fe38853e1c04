import { Changgu } from '@changgu/sdk';
import { demoMembers, startSimulators } from '@changgu/simulators';
import { expect, it } from 'vitest';
import { draftUsageInvoices } from '../src/billing/draft-usage-invoices.ts';
import { DEFAULT_SETTINGS } from '../src/config/settings.ts';
import { createIdentities } from '../src/credentials/identity.ts';
import { registerLink } from '../src/credentials/register-link.ts';
import { kstMonth } from '../src/rules/kst.ts';
import { bearer, callerWith, logIn } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const LIST = 'bank_a.accounts.list';

it('a paid organization runs a production job at the configured institution, an unpaid one pays first (R21, D97)', async () => {
  const institutions = await startSimulators({ now: Date.now });
  const server = await startTestServer({
    links: true,
    env: { PRODUCTION_URL_BANK_A: institutions.urls.bank_a },
  });
  try {
    const { console: person, organizationId } = server;
    const owner = callerWith(server, await logIn(server, person.email, person.password));
    const issue = () =>
      owner('POST', '/v1/app-credentials', { label: '운영', allowed_env_scopes: ['production'] });

    const unpaid = await issue();
    expect(unpaid.status).toBe(402);
    expect(unpaid.body.error.code).toBe('POLICY_PAID_REQUIRED');

    const admin = callerWith(server, server.adminToken);
    const subscription = `/v1/admin/organizations/${organizationId}/subscription`;
    expect((await admin('POST', subscription, { plan_code: 'STANDARD' })).status).toBe(200);
    const key = await issue();
    expect(key.status).toBe(201);

    const client = new Changgu({
      baseUrl: server.url,
      clientId: key.body.client_id,
      clientSecret: key.body.client_secret,
      envScope: 'production',
    });
    // The demo links are for tests: no login of theirs goes to a production address, or the reverse.
    await expect(client.jobs.submit({ action: LIST, params: {} })).rejects.toMatchObject({
      code: 'ACCOUNT_LINK_NOT_FOUND',
    });
    // Bank B has no production address: a link of any purpose would be of no use (D141).
    const unconfigured = { code: 'PROVIDER_NOT_CONFIGURED', status: 503, retryable: false };
    const action = 'bank_b.accounts.transaction_history.search';
    await expect(client.jobs.submit({ action, params: {} })).rejects.toMatchObject(unconfigured);
    const accounts = client.jobs.allAccounts({ action, params: {} });
    await expect(accounts[Symbol.asyncIterator]().next()).rejects.toMatchObject(unconfigured);
    await linkRealAccount(server);
    const job = await client.jobs.submit({ action: LIST, params: {} });
    const { data } = await job.result();
    expect(data).toMatchObject({ success: true });
    expect(data).not.toHaveProperty('mock');
    const membership = await server.call('GET', '/v1/membership/me', {
      env: 'production',
      headers: {
        authorization: `Basic ${btoa(`${key.body.client_id}:${key.body.client_secret}`)}`,
      },
    });
    expect(membership.body).toMatchObject({
      membership_tier: 'PAID',
      subscription_status: 'ACTIVE',
      quota_month_after: { limit: 10_000, used: 1, period: 'month' },
    });
    expect(membership.body).not.toHaveProperty('quota_after');

    expect(
      (await admin('POST', subscription, { plan_code: 'STANDARD', status: 'CANCELED' })).status,
    ).toBe(200);
    await expect(client.jobs.submit({ action: LIST, params: {} })).rejects.toMatchObject({
      code: 'POLICY_PAID_REQUIRED',
    });
    await client.close();

    // What was really charged stands on the invoice of the month, beside the plan.
    const { store } = server.core;
    const month = kstMonth(await store.clock.now()).replace('-', '');
    const now = await server.advanceClock(32 * 86_400);
    const actor = { kind: 'system', id: 'test', traceId: null } as const;
    await draftUsageInvoices({ store, plans: DEFAULT_SETTINGS.plans }, month, { now, actor });
    const invoices = await server.call('GET', '/v1/billing/invoices', {
      env: 'production',
      headers: bearer(await logIn(server, person.email, person.password)),
    });
    expect(invoices.body.items).toMatchObject([
      {
        subtotal_amount_minor: 99_010,
        tax_amount_minor: 9_901,
        total_amount_minor: 108_911,
        items: [
          { item_kind: 'SUBSCRIPTION', amount_minor: 99_000 },
          { item_kind: 'USAGE', quantity: 1, unit_amount_minor: 10, amount_minor: 10 },
        ],
      },
    ]);
  } finally {
    await server[Symbol.asyncDispose]();
    await institutions.close();
  }
});

async function linkRealAccount({ core, organizationId }: TestServer): Promise<void> {
  const { store, vault } = core;
  const { loginId, loginPassword } = demoMembers.corporation;
  await registerLink(
    { store, vault, identities: createIdentities(store, vault) },
    {
      organizationId,
      actor: { kind: 'system', id: 'test', traceId: null },
      providers: ['bank_a'],
      presented: {
        identity: { kind: 'login', parts: [loginId] },
        credential: { type: 'id_password', loginId, loginPassword },
        certificate: null,
      },
      labels: {},
      purposeAt: () => 'real',
      isPrimary: false,
      confirm: false,
    },
  );
}
