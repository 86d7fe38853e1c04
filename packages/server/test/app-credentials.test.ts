import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, statusesOf } from './support/outcomes.ts';
import { bearer, callerWith, logIn, newPerson, type Person } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;
let person: Person;

beforeAll(async () => {
  server = await startTestServer();
  person = await newPerson(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const asAdmin = (method: string, path: string, body?: unknown, organizationId?: number) =>
  server.call(method, path, {
    headers: {
      ...bearer(server.adminToken),
      ...(organizationId === undefined ? {} : { 'x-organization-id': String(organizationId) }),
    },
    ...(body === undefined ? {} : { body }),
  });

const basic = (key: { client_id: string; client_secret: string }) => ({
  authorization: `Basic ${Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64')}`,
});

async function issue(body: object = {}) {
  const answer = await person.call('POST', '/v1/app-credentials', { label: 'key', ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const revoke = (id: string, body?: object) =>
  person.call('POST', `/v1/app-credentials/${id}/revoke`, body);

describe('issuing a key', () => {
  it('is refused to keys themselves, with 403 (R87)', async () => {
    for (const headers of [basic(server.client), { 'x-api-key': server.legacyApiKey }]) {
      const answer = await fetch(new URL('/v1/app-credentials', server.url), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ label: 'k' }),
      });
      expect(answer.status).toBe(403);
    }
  });

  it('shows the secret once (D96)', async () => {
    const key = await issue({ label: 'shown once' });
    expect(key).toMatchObject({
      allowed_env_scopes: ['sandbox'],
      integration_profile: 'standard_external',
      status: 'ACTIVE',
      read_only: false,
      allowed_actions: null,
      allow_irreversible_tools: false,
    });
    expect(key.client_id).toHaveLength(30);
    expect(key.client_secret).toMatch(/^cgs_[\w-]{50}$/);
    const { body } = await person.call('GET', '/v1/app-credentials');
    expect(JSON.stringify(body)).not.toContain(key.client_secret);
    expect(body.items[0]).toMatchObject({ client_id: key.client_id, label: 'shown once' });
  });

  it('a label has 1 to 100 characters (R97)', async () => {
    const label = (text: string) => person.call('POST', '/v1/app-credentials', { label: text });
    expect((await label('')).status).toBe(422);
    expect((await label('가'.repeat(101))).status).toBe(422);
    expect((await label('가'.repeat(100))).status).toBe(201);
  });

  it('environments: none is 422, production is paid before real_test is approved (R89, D97)', async () => {
    const ask = (allowed_env_scopes: string[]) =>
      errorOf(person.call('POST', '/v1/app-credentials', { label: 'k', allowed_env_scopes }));
    expect(await ask([])).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await ask(['moon'])).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await ask(['real_test', 'production'])).toBe('402 POLICY_PAID_REQUIRED');
    expect(await ask(['real_test'])).toBe('403 POLICY_ENV_NOT_APPROVED');
  });

  it('desktop_agent is for an admin to issue, who says for whom (R90)', async () => {
    const body = { label: 'agent', integration_profile: 'desktop_agent' };
    expect(await errorOf(person.call('POST', '/v1/app-credentials', body))).toBe(
      '403 AUTH_FORBIDDEN_PRINCIPAL',
    );
    expect(await errorOf(asAdmin('POST', '/v1/app-credentials', body))).toBe(
      '400 VALIDATION_INVALID_FIELD',
    );
    expect(await errorOf(asAdmin('POST', '/v1/app-credentials', body, 999_999))).toBe(
      '404 RESOURCE_NOT_FOUND',
    );
    const issued = await asAdmin('POST', '/v1/app-credentials', body, person.organizationId);
    expect([issued.status, issued.body.integration_profile]).toEqual([201, 'desktop_agent']);
  });

  it('the twenty-first active key is refused, also when all are asked for at once (D148)', async () => {
    const owner = await newPerson(server);
    const answers = await Promise.all(
      Array.from({ length: 23 }, (_, n) =>
        owner.call('POST', '/v1/app-credentials', { label: `k${n}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.error.code)).toEqual(
      Array(3).fill('POLICY_LIMIT_REACHED'),
    );
  });
});

describe('revoking a key', () => {
  it('takes the reasons of who revokes (R91, D49)', async () => {
    const { client_id: id } = await issue();
    const byAdmin = (body?: object) => asAdmin('POST', `/v1/app-credentials/${id}/revoke`, body);
    for (const reason of ['admin_action', 'superseded', '', 'x'.repeat(65), 'x'.repeat(9_000)]) {
      expect(await errorOf(revoke(id, { revoked_reason: reason }))).toBe(
        '403 REVOKED_REASON_FORBIDDEN',
      );
    }
    expect(await errorOf(byAdmin({ revoked_reason: null }))).toBe('400 REVOKED_REASON_MISSING');
    expect(await errorOf(byAdmin())).toBe('400 REVOKED_REASON_MISSING');
    expect(await errorOf(byAdmin({ revoked_reason: 'user_request' }))).toBe(
      '403 REVOKED_REASON_FORBIDDEN',
    );
    expect(await errorOf(byAdmin({ revoked_reason: 'superseded' }))).toBe(
      '403 REVOKED_REASON_FORBIDDEN',
    );
    const revoked = await revoke(id);
    expect(revoked.body).toMatchObject({ status: 'REVOKED', revoked_reason: 'user_request' });
  });

  it('stops it at once, on every process; the same again changes nothing (D98)', async () => {
    const key = await issue();
    const other = await startTestServer({ dataDir: server.dataDir });
    const read = (on: TestServer) => on.call('GET', '/v1/jobs', { headers: basic(key) });
    expect([(await read(server)).status, (await read(other)).status]).toEqual([200, 200]);
    const first = await revoke(key.client_id);
    expect([(await read(server)).status, (await read(other)).status]).toEqual([401, 401]);
    const again = await asAdmin('POST', `/v1/app-credentials/${key.client_id}/revoke`, {
      revoked_reason: 'security_incident',
    });
    expect([again.status, again.body]).toEqual([200, first.body]);
    await other.close();
  });

  it("another organization's key is not there (R124)", async () => {
    const { client_id: id } = await issue();
    const stranger = await newPerson(server);
    const path = `/v1/app-credentials/${id}/revoke`;
    const foreign = await stranger.call('POST', path);
    const missing = await stranger.call('POST', '/v1/app-credentials/cli_none/revoke');
    expect(foreign.status).toBe(404);
    expect(foreign.body.error.message).toBe(missing.body.error.message);
    const elsewhere = await asAdmin(
      'POST',
      path,
      { revoked_reason: 'admin_action' },
      stranger.organizationId,
    );
    expect(elsewhere.status).toBe(404);
    expect((await asAdmin('POST', path, { revoked_reason: 'admin_action' })).status).toBe(200);
  });

  it('its jobs continue; a security incident cancels those that wait (D98)', async () => {
    const slow = await startTestServer({ env: { SANDBOX_SLOTS: '1', SANDBOX_DELAY_MS: '300' } });
    const owner = await newPerson(slow);
    const keys = await Promise.all(
      ['calm', 'leaked'].map(
        async (label) => (await owner.call('POST', '/v1/app-credentials', { label })).body,
      ),
    );
    const submit = async (key: { client_id: string; client_secret: string }, name: string) => {
      const { body } = await slow.call('POST', '/v1/jobs', {
        key: name,
        headers: basic(key),
        body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
      });
      return body.job_id;
    };
    await submit(keys[0], 'first');
    const waiting = await submit(keys[0], 'calm');
    const leaked = await submit(keys[1], 'leaked');
    const spare = (await owner.call('POST', '/v1/app-credentials', { label: 'reader' })).body;
    const stop = (id: string, revoked_reason: string) =>
      slow.call('POST', `/v1/app-credentials/${id}/revoke`, {
        headers: bearer(slow.adminToken),
        body: { revoked_reason },
      });
    await stop(keys[0].client_id, 'admin_action');
    await stop(keys[1].client_id, 'security_incident');
    const stateOf = async (id: string) =>
      (await slow.call('GET', `/v1/jobs/${id}`, { headers: basic(spare) })).body.status;
    expect(await stateOf(leaked)).toBe('CANCELED');
    expect(['QUEUED', 'RUNNING', 'SUCCEEDED']).toContain(await stateOf(waiting));
    await slow[Symbol.asyncDispose]();
  });
});

describe('integrator keys (D92, D93)', () => {
  const FORM = { company_name: '창구', contact_email: 'dev@example.com', terms_agreed: true };

  async function approved(by: Person, path = '', more: object = {}) {
    const { body } = await by.call('POST', `/v1/me/integrator-applications${path}`, {
      ...FORM,
      ...more,
    });
    const decision = `/v1/admin/integrator-applications/${body.application_id}/decision`;
    expect((await asAdmin('POST', decision, { decision: 'APPROVED' })).status).toBe(200);
    return body.application_id;
  }

  const exchange = (handoff_token: string) =>
    server.call('POST', '/v1/handoff/exchange', { body: { handoff_token } });

  it('terms are agreed to on every submission (R96)', async () => {
    const applicant = await newPerson(server);
    const submit = (body: object) =>
      errorOf(applicant.call('POST', '/v1/me/integrator-applications', body));
    const { terms_agreed: _agreed, ...unagreed } = FORM;
    expect(await submit(unagreed)).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await submit(FORM)).toBe('201 undefined');
    expect(await submit({ ...FORM, terms_agreed: false })).toBe('422 VALIDATION_INVALID_FIELD');
    expect(await submit({ ...FORM, use_case_text: 'x'.repeat(2001) })).toBe(
      '422 VALIDATION_INVALID_FIELD',
    );
  });

  it('an approved application mints one token, which is exchanged once', async () => {
    const applicant = await newPerson(server);
    const { body: waiting } = await applicant.call('POST', '/v1/me/integrator-applications', FORM);
    const mint = (id: number, by = applicant) =>
      by.call('POST', `/v1/me/integrator-applications/${id}/handoff`);
    expect(await errorOf(mint(waiting.application_id))).toBe('409 CONFLICT_STATE');
    const id = await approved(applicant);
    expect(await errorOf(mint(id, person))).toBe('404 RESOURCE_NOT_FOUND');
    const minted = await mint(id);
    expect(minted.status).toBe(201);
    expect(minted.body.handoff_token).toMatch(/^[\w-]{43}$/);
    expect(await errorOf(mint(id))).toBe('409 CONFLICT_STATE');

    const answers = await Promise.all([1, 2, 3].map(() => exchange(minted.body.handoff_token)));
    const [key] = answers.filter(({ status }) => status === 200);
    expect(statusesOf(answers)).toEqual([200, 400, 400]);
    const { status } = await server.call('GET', '/v1/credentials', { headers: basic(key?.body) });
    expect(status).toBe(200);
  });

  it('a token of 15 or 513 characters is 422; used, expired and unknown are 400 (R101)', async () => {
    expect((await exchange('x'.repeat(15))).status).toBe(422);
    expect((await exchange('x'.repeat(513))).status).toBe(422);
    expect(await errorOf(exchange('x'.repeat(512)))).toBe('400 HANDOFF_TOKEN_INVALID');
    const applicant = await newPerson(server);
    const id = await approved(applicant);
    const mint = () => applicant.call('POST', `/v1/me/integrator-applications/${id}/handoff`);
    const { body } = await mint();
    await server.advanceClock(601);
    expect(await errorOf(exchange(body.handoff_token))).toBe('400 HANDOFF_TOKEN_INVALID');
    // Not even then: its exchange may be under way in another process (D92).
    expect(await errorOf(mint())).toBe('409 CONFLICT_STATE');
  });

  it('a token of an organization that is gone gives no key, like one that never was (D93, D146)', async () => {
    const applicant = await newPerson(server);
    const id = await approved(applicant);
    const { password } = applicant;
    await applicant.call('POST', '/v1/me/deletion-requests', { password });
    await server.advanceClock(7 * 86_400 - 60);
    const { body } = await applicant.call('POST', `/v1/me/integrator-applications/${id}/handoff`);
    await server.advanceClock(120);
    expect(await errorOf(exchange(body.handoff_token))).toBe('400 HANDOFF_TOKEN_INVALID');
  });

  it('the key of a handoff is named after the company, and no character is cut in two', async () => {
    const applicant = await newPerson(server);
    const name = `가${'😀'.repeat(120)}`;
    const id = await approved(applicant, '', { company_name: name });
    const { body } = await applicant.call('POST', `/v1/me/integrator-applications/${id}/handoff`);
    expect((await exchange(body.handoff_token)).status).toBe(200);
    const { body: keys } = await applicant.call('GET', '/v1/app-credentials');
    expect(keys.items[0].label).toBe(`가${'😀'.repeat(99)}`);
  });

  it('a reissue revokes the old integrator key at once, and no other key', async () => {
    const applicant = await newPerson(server);
    const id = await approved(applicant);
    const { body: minted } = await applicant.call(
      'POST',
      `/v1/me/integrator-applications/${id}/handoff`,
    );
    const { body: old } = await exchange(minted.handoff_token);
    const reissue = (revoke_client_id: string) =>
      applicant.call('POST', '/v1/me/integrator-applications/reissue', {
        ...FORM,
        reissue_reason: 'lost_secret',
        revoke_client_id,
      });
    const { body: own } = await applicant.call('POST', '/v1/app-credentials', { label: 'own' });
    expect(await errorOf(reissue(own.client_id))).toBe('404 RESOURCE_NOT_FOUND');
    expect(await errorOf(reissue(server.client.client_id))).toBe('404 RESOURCE_NOT_FOUND');
    expect((await reissue(old.client_id)).body).toMatchObject({
      status: 'SUBMITTED',
      reissue_reason: 'lost_secret',
      revoke_client_id: old.client_id,
    });
    expect((await server.call('GET', '/v1/credentials', { headers: basic(old) })).status).toBe(401);
    const { body: keys } = await applicant.call('GET', '/v1/app-credentials');
    const revoked = keys.items.find(
      (item: { client_id: string }) => item.client_id === old.client_id,
    );
    expect(revoked).toMatchObject({ status: 'REVOKED', revoked_reason: 'superseded' });
  });
});

it('the demo organization has a key for tools of all kinds, and a legacy key of real_test (D157)', async () => {
  const { email, password } = server.console;
  const owner = callerWith(server, await logIn(server, email, password));
  const { body } = await owner('GET', '/v1/app-credentials');
  expect(body.items).toMatchObject([
    {
      client_id: server.client.client_id,
      allowed_env_scopes: ['sandbox', 'real_test'],
      allow_irreversible_tools: true,
    },
  ]);
  const read = async (envScope: string) => {
    const headers = { 'x-api-key': server.legacyApiKey, 'x-env-scope': envScope };
    return (await fetch(new URL('/v1/membership/me', server.url), { headers })).status;
  };
  expect([await read('real_test'), await read('sandbox')]).toEqual([200, 403]);
});

describe('legacy keys (D109)', () => {
  it('are bound to one environment, and stop when revoked', async () => {
    const issued = await asAdmin('POST', '/v1/admin/legacy-api-keys', {
      organization_id: person.organizationId,
      env_scope: 'sandbox',
      label: 'old program',
    });
    const read = (envScope: string) =>
      fetch(new URL('/v1/membership/me', server.url), {
        headers: { 'x-api-key': issued.body.api_key, 'x-env-scope': envScope },
      });
    expect((await read('sandbox')).status).toBe(200);
    expect((await read('real_test')).status).toBe(403);
    const path = `/v1/admin/legacy-api-keys/${issued.body.key_id}/revoke`;
    expect((await asAdmin('POST', path)).status).toBe(200);
    expect((await read('sandbox')).status).toBe(401);
    const list = `/v1/admin/legacy-api-keys?organization_id=${person.organizationId}`;
    const { body } = await asAdmin('GET', list);
    expect(JSON.stringify(body)).not.toContain(issued.body.api_key);
    expect(body.items[0].revoked_at).not.toBeNull();
  });
});

it('an admin who is removed is out at once (D87)', async () => {
  const { core } = server;
  const actor = { kind: 'system', id: 'test', traceId: null } as const;
  const email = 'short@example.com';
  await core.store.admins.create({ email, actor });
  const { issueAdminToken } = await import('../src/principals/admin-token.ts');
  const token = await issueAdminToken(core, email, 60, actor);
  const call = callerWith(server, token);
  expect((await call('GET', '/v1/admin/audit')).status).toBe(200);
  await core.store.admins.remove({ email, actor });
  expect((await call('GET', '/v1/admin/audit')).status).toBe(401);
  await core.store.admins.create({ email, actor });
  expect((await call('GET', '/v1/admin/audit')).status).toBe(401);
});
