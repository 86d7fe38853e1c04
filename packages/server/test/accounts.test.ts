import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { authRoutes } from '../src/http/routes/auth.ts';
import { handoffRoute } from '../src/http/routes/handoff.ts';
import { createSessionCookies } from '../src/http/session-cookies.ts';
import { createPasswordCheck } from '../src/principals/password-check.ts';
import type { Origin } from '../src/rules/principals/actor.ts';
import { ALL_ACTS } from '../src/store/testing/no-filter.ts';
import { testApp } from './support/http-app.ts';
import { errorOf, statusesOf } from './support/outcomes.ts';
import {
  bearer,
  callerWith,
  logIn,
  newPerson,
  type Person,
  proveAddress,
  silentRecovery,
} from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const DAY = 86_400;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const asAdmin = (method: string, path: string, body?: unknown) =>
  callerWith(server, server.adminToken)(method, path, body);

const REGISTER = {
  email: 'New@Example.com',
  password: 'long enough 1',
  name: '홍길동',
  agree_terms: true,
  agree_privacy: true,
};

async function register(change: object) {
  return server.call('POST', '/v1/auth/register', { body: { ...REGISTER, ...change } });
}

describe('registration (D88)', () => {
  it('makes a user and an organization, and takes an address once, whatever its case', async () => {
    const first = await register({ phone: '010-1234-5678', business_number: '124-81-00998' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ email: 'new@example.com', membership_tier: 'FREE' });
    expect(await errorOf(register({ email: 'NEW@example.com' }))).toBe(
      '409 EMAIL_ALREADY_REGISTERED',
    );
  });

  it.each([
    [{ agree_terms: false }, '400 CONSENT_REQUIRED'],
    [{ agree_privacy: undefined }, '400 CONSENT_REQUIRED'],
    [{ password: 'too short' }, '400 PASSWORD_POLICY'],
    [{ phone: '02-123-4567' }, '422 VALIDATION_INVALID_FIELD'],
    [{ business_number: '124-81-00997' }, '422 VALIDATION_INVALID_FIELD'],
    [{ email: 'not-an-address' }, '422 VALIDATION_INVALID_FIELD'],
    [{ role: 'ADMIN' }, '422 VALIDATION_INVALID_FIELD'],
  ])('refuses %j', async (change, error) => {
    expect(await errorOf(register({ email: 'other@example.com', ...change }))).toBe(error);
  });
});

describe('login (D86)', () => {
  it('answers with a token that says who one is', async () => {
    const person = await newPerson(server);
    const { status, body } = await server.call('POST', '/v1/auth/login', {
      body: { email: person.email.toUpperCase(), password: person.password },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 28_800 });
    expect(body.organization).toEqual({
      organization_id: person.organizationId,
      name: '홍길동',
      role: 'OWNER',
    });
    const [, payload = ''] = String(body.access_token).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims).toMatchObject({ pk: 'console_user', ver: 1, sub: String(person.userId) });
    expect(claims.exp - claims.iat).toBe(28_800);
  });

  it('gives unknown address and wrong password one answer', async () => {
    const person = await newPerson(server);
    const wrong = { email: person.email, password: 'wrong password' };
    const unknown = { email: 'unknown@example.com', password: 'wrong password' };
    const answers = await Promise.all(
      [wrong, unknown].map((body) => server.call('POST', '/v1/auth/login', { body })),
    );
    const [first, second] = answers.map(({ status, body }) => {
      const { trace_id: _trace, ...error } = body.error;
      return { status, error };
    });
    expect(first).toEqual(second);
    expect(first).toMatchObject({ status: 401, error: { code: 'AUTH_INVALID_CREDENTIALS' } });
  });

  it('five failures of an address close the door, also all at once, and a success forgets', async () => {
    const person = await newPerson(server);
    const tryWith = (password: string) =>
      server.call('POST', '/v1/auth/login', { body: { email: person.email, password } });
    for (let n = 0; n < 4; n += 1) expect((await tryWith('wrong password')).status).toBe(401);
    expect((await tryWith(person.password)).status).toBe(200);

    const many = await Promise.all(Array.from({ length: 9 }, () => tryWith('wrong password')));
    const statuses = many.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    const refused = await tryWith(person.password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('lets everyone in who has the right password, however many log in at once (D86)', async () => {
    const person = await newPerson(server);
    const tryWith = (password: string) =>
      server.call('POST', '/v1/auth/login', { body: { email: person.email, password } });
    expect((await tryWith('wrong password')).status).toBe(401);
    const many = await Promise.all(Array.from({ length: 20 }, () => tryWith(person.password)));
    expect(statusesOf(many)).toEqual(Array(20).fill(200));
  });

  it('names the way to authenticate when it refuses a login (D47)', async () => {
    const { password, email } = await newPerson(server);
    for (const body of [
      { email, password: 'wrong password' },
      { email: 'nobody@example.com', password },
    ]) {
      const { status, headers } = await server.call('POST', '/v1/auth/login', { body });
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="changgu"']);
    }
  });

  it('tells the owner once an hour from where the guesses come that are refused (D86)', async () => {
    const person = await newPerson(server);
    const body = { email: person.email, password: 'wrong password' };
    const headers = { 'user-agent': 'guesser/1.0' };
    const statuses: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      statuses.push((await server.call('POST', '/v1/auth/login', { body, headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429]);
    const { body: log } = await person.call('GET', '/v1/audit?act=password.limit');
    expect(log.items).toMatchObject([
      { target: String(person.userId), address: '127.0.0.1', user_agent: 'guesser/1.0' },
    ]);
  });

  it('records guesses at unknown addresses once an hour, and those at a user each time (D86)', async () => {
    const person = await newPerson(server);
    const { audit } = server.core.store;
    const since = (await audit.list({ ...ALL_ACTS, limit: 1 }))[0]?.id ?? 0;
    const refusals = async () => {
      const rows = await audit.list({ ...ALL_ACTS, act: 'password.refuse', limit: 100 });
      return rows.filter(({ id }) => id > since).map(({ target }) => target);
    };
    const guess = (email: string) =>
      server.call('POST', '/v1/auth/login', { body: { email, password: 'wrong password' } });
    for (let n = 0; n < 6; n += 1) await guess(`unknown${n}@example.com`);
    for (let n = 0; n < 3; n += 1) await guess(person.email);
    const own = String(person.userId);
    // No answer waits for its row.
    await vi.waitFor(async () => {
      expect((await refusals()).filter((target) => target === own)).toHaveLength(3);
    }, 20_000);
    // Two where the hour ends in between, none where another test has guessed in this one.
    expect((await refusals()).filter((target) => target !== own).length).toBeLessThan(3);
  });
});

it('stops guessing without credentials after 300 attempts a minute, whatever is guessed (D43)', async () => {
  // An app whose minute does not end.
  const told: Origin[] = [];
  const app = testApp({ onLimited: async (origin) => void told.push(origin) });
  authRoutes(app, {
    ...server.core,
    cookies: createSessionCookies(undefined),
    recovery: silentRecovery(server.core),
    passwordCheck: createPasswordCheck('off'),
    passkeys: {
      ...server.core,
      publicBaseUrl: () => server.url,
      attemptSecrets: () => [createSecretKey(randomBytes(32))],
    },
  });
  handoffRoute(app, server.core);
  const guess = (url: string) => app.fastify.inject({ method: 'POST', url, payload: {} });
  const doors = ['/v1/auth/login', '/v1/auth/register', '/v1/handoff/exchange'];
  for (let n = 0; n < 300; n += 1) {
    expect((await guess(doors[n % doors.length] ?? '')).statusCode).toBe(422);
  }
  for (const door of doors) {
    const refused = await guess(door);
    expect([door, refused.statusCode, refused.json().error.code]).toEqual([
      door,
      429,
      'RATE_LIMITED',
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(told).toMatchObject([{ address: '127.0.0.1', traceId: expect.any(String) }]);
});

describe('password change (D89)', () => {
  it('a stolen token guesses no more often than a login (D86)', async () => {
    const person = await newPerson(server);
    const guess = () =>
      person.call('POST', '/v1/me/password', {
        current_password: 'not this one',
        new_password: 'another good one',
      });
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await errorOf(guess()));
    expect(answers).toEqual([...Array(5).fill('400 PASSWORD_MISMATCH'), '429 RATE_LIMITED']);
    const { password } = person;
    for (const [method, path] of [
      ['POST', '/v1/me/deletion-requests'],
      ['DELETE', `/v1/me/deletion-requests/${randomUUID()}`],
    ] as const) {
      expect(await errorOf(person.call(method, path, { password }))).toBe('429 RATE_LIMITED');
    }
  });

  it('ends every token of before, the one used too', async () => {
    const person = await newPerson(server);
    const other = await logIn(server, person.email, person.password);
    const changed = await person.call('POST', '/v1/me/password', {
      current_password: person.password,
      new_password: 'another good one',
    });
    expect(changed.status).toBe(200);
    for (const token of [person.token, other]) {
      const { status } = await callerWith(server, token)('GET', '/v1/membership/me');
      expect(status).toBe(401);
    }
    const fresh = callerWith(server, changed.body.access_token);
    expect((await fresh('GET', '/v1/membership/me')).status).toBe(200);
    await expect(logIn(server, person.email, person.password)).rejects.toThrow('AUTH_INVALID');
  });

  it('wants the current password and a good new one', async () => {
    const person = await newPerson(server);
    const change = (current_password: string, new_password: string) =>
      errorOf(person.call('POST', '/v1/me/password', { current_password, new_password }));
    expect(await change('wrong', 'another good one')).toBe('400 PASSWORD_MISMATCH');
    expect(await change(person.password, 'short')).toBe('400 PASSWORD_POLICY');
    expect(await change(person.password, person.email)).toBe('400 PASSWORD_POLICY');
  });

  it('many at once: one wins, the others are void and no guesses', async () => {
    const person = await newPerson(server);
    const change = () =>
      person.call('POST', '/v1/me/password', {
        current_password: person.password,
        new_password: 'another good one',
      });
    const answers = await Promise.all(Array.from({ length: 20 }, change));
    expect(statusesOf(answers)).toEqual([200, ...Array(19).fill(401)]);
  });
});

describe('consents (D94)', () => {
  it('a revoked one blocks new jobs until it is granted again', async () => {
    const owner = callerWith(
      server,
      await logIn(server, server.console.email, server.console.password),
    );
    const submit = (key: string) =>
      server.call('POST', '/v1/jobs', {
        key,
        body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
      });
    const consent = (action: string, consent_type = 'PRIVACY_POLICY') =>
      owner('POST', '/v1/consents', { consent_type, action });

    expect((await consent('REVOKE')).status).toBe(201);
    expect(await errorOf(submit('consent-1'))).toBe('403 POLICY_CONSENT_REQUIRED');
    expect((await consent('GRANT')).body).toMatchObject({ action: 'GRANT' });
    await consent('REVOKE', 'MARKETING');
    expect((await submit('consent-2')).status).toBe(202);
    expect(await errorOf(consent('REVOKE', 'NOTHING'))).toBe('422 VALIDATION_INVALID_FIELD');
  });
});

describe('environment access (D91)', () => {
  it('asks for real_test only, with at most 500 characters (R99, R97)', async () => {
    const person = await newPerson(server);
    const ask = (body: object) => person.call('POST', '/v1/me/env-access-requests', body);
    for (const requested_target_env of ['production', 'sandbox']) {
      const refused = await ask({ requested_target_env });
      expect(refused.status).toBe(422);
      expect(refused.body.error.fields[0].type).toBe('literal_error');
    }
    const real = { requested_target_env: 'real_test' };
    expect((await ask({ ...real, reason_text: 'x'.repeat(501) })).status).toBe(422);
    expect((await ask({ ...real, reason_text: 'x'.repeat(500) })).status).toBe(201);
    expect(await errorOf(ask(real))).toBe('409 CONFLICT_DUPLICATE');
  });

  it('is decided by an operator, and runs out', async () => {
    const person = await newPerson(server);
    const issue = () =>
      person.call('POST', '/v1/app-credentials', {
        label: 'k',
        allowed_env_scopes: ['sandbox', 'real_test'],
      });
    expect(await errorOf(issue())).toBe('403 POLICY_ENV_NOT_APPROVED');
    const { body: request } = await person.call('POST', '/v1/me/env-access-requests', {
      requested_target_env: 'real_test',
    });
    const { body: waiting } = await asAdmin('GET', '/v1/admin/env-access-requests?status=PENDING');
    const { body: membership } = await person.call('GET', '/v1/auth/session');
    expect(waiting.items).toContainEqual(
      expect.objectContaining({
        request_id: request.request_id,
        organization_id: person.organizationId,
        organization_name: membership.organization.name,
      }),
    );
    const path = `/v1/admin/env-access-requests/${request.request_id}/decision`;
    expect((await person.call('POST', path, { decision: 'APPROVED' })).status).toBe(403);
    const decided = await asAdmin('POST', path, { decision: 'APPROVED' });
    expect(decided.body).toMatchObject({ status: 'APPROVED', request_id: request.request_id });
    expect((await asAdmin('POST', path, { decision: 'APPROVED' })).status).toBe(200);
    expect(await errorOf(asAdmin('POST', path, { decision: 'REJECTED' }))).toBe(
      '409 CONFLICT_STATE',
    );
    const { body: list } = await person.call('GET', '/v1/me/env-access-requests');
    expect(list.items).toEqual([decided.body]);

    expect((await issue()).status).toBe(201);
    const { body: me } = await person.call('GET', '/v1/membership/me');
    expect(Date.parse(me.demo_ends_at)).toBeGreaterThan(Date.now() + 29 * DAY * 1000);
    await server.advanceClock(31 * DAY);
    expect(await errorOf(issue())).toBe('403 POLICY_ENV_NOT_APPROVED');
    expect(
      (
        await person.call('POST', '/v1/me/env-access-requests', {
          requested_target_env: 'real_test',
        })
      ).status,
    ).toBe(201);
  });
});

/** As Python's JSON writes it: in ASCII, with every emoji in twelve bytes. */
async function askEscaped(method: string, path: string, { token }: Person, body: object) {
  const answer = await fetch(new URL(path, server.url), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body).replaceAll('😀', '\\ud83d\\ude00'),
  });
  return { status: answer.status, body: await answer.json() };
}

describe('deletion (D90, D146)', () => {
  it('is asked for once, and withdrawn by a DELETE with a body (R97, R98)', async () => {
    const person = await newPerson(server);
    const other = await newPerson(server);
    const { password } = person;
    const ask = (body: object) => person.call('POST', '/v1/me/deletion-requests', body);
    expect(await errorOf(ask({ password: 'wrong password' }))).toBe('400 PASSWORD_MISMATCH');
    expect((await ask({ password, reason_text: 'x'.repeat(2001) })).status).toBe(422);
    const { status, body } = await askEscaped('POST', '/v1/me/deletion-requests', person, {
      password,
      reason_text: '😀'.repeat(2000),
    });
    expect([status, body.status]).toEqual([201, 'PENDING']);
    expect(Date.parse(body.scheduled_at) - Date.parse(body.requested_at)).toBe(7 * DAY * 1000);
    expect(await errorOf(ask({ password }))).toBe('409 DELETION_REQUEST_EXISTS');
    const open = async ({ call }: typeof person) =>
      (await call('GET', '/v1/me/deletion-requests')).body.items;
    expect(await open(person)).toEqual([body]);
    expect(await open(other)).toEqual([]);

    const path = `/v1/me/deletion-requests/${body.request_uuid}`;
    expect((await person.call('DELETE', path)).status).toBe(422);
    expect(await errorOf(person.call('DELETE', path, { password: 'no' }))).toBe(
      '400 PASSWORD_MISMATCH',
    );
    const foreign = other.call('DELETE', path, { password: other.password });
    expect(await errorOf(foreign)).toBe('404 RESOURCE_NOT_FOUND');
    const withdrawn = await askEscaped('DELETE', path, person, {
      password,
      reason: '😀'.repeat(2000),
    });
    expect(withdrawn.body).toMatchObject({ status: 'CANCELED' });
    expect(await open(person)).toEqual([]);
    expect((await person.call('DELETE', path, { password })).body).toEqual(withdrawn.body);
    await server.advanceClock(8 * DAY);
    expect((await person.call('GET', '/v1/membership/me')).status).toBe(200);
  });

  it('takes one of many equal requests, and the others hear that it exists (D90)', async () => {
    const { call, password } = await newPerson(server);
    const ask = () => call('POST', '/v1/me/deletion-requests', { password });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(statusesOf(answers)).toEqual([201, ...Array(19).fill(409)]);
  });

  it('is executed on its day: nothing authenticates any more, the address is free again', async () => {
    const person = await newPerson(server);
    const { body: key } = await person.call('POST', '/v1/app-credentials', { label: 'k' });
    const { body } = await person.call('POST', '/v1/me/deletion-requests', {
      password: person.password,
    });
    await server.advanceClock(7 * DAY + 60);
    expect((await person.call('GET', '/v1/membership/me')).status).toBe(401);
    const basic = Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64');
    const asKey = await server.call('GET', '/v1/jobs', {
      headers: { authorization: `Basic ${basic}` },
    });
    expect(asKey.status).toBe(401);
    expect((await register({ email: person.email })).status).toBe(201);
    const { body: audit } = await asAdmin('GET', '/v1/admin/audit?act=deletion.execute');
    expect(audit.items[0]).toMatchObject({ target: body.request_uuid, actor_kind: 'system' });
  });
});

it('leaves the address and the browser of what people do to their accounts in the audit log (D86)', async () => {
  const account = { email: 'traced@example.com', password: 'long enough 1' };
  const ask = (method: string, path: string, body: object, token = '') =>
    server.call(method, path, {
      body,
      headers: { ...(token && bearer(token)), 'user-agent': 'browser/1.0' },
    });
  await ask('POST', '/v1/auth/register', { ...REGISTER, ...account });
  const { body: login } = await ask('POST', '/v1/auth/login', account);
  const [current_password, password] = [account.password, 'long enough 2'];
  const change = { current_password, new_password: password };
  const { body: changed } = await ask('POST', '/v1/me/password', change, login.access_token);
  const token = changed.access_token;
  const path = '/v1/me/deletion-requests';
  const { body: asked } = await ask('POST', path, { password }, token);
  await ask('DELETE', `${path}/${asked.request_uuid}`, { password }, token);
  const { body: log } = await callerWith(server, token)('GET', '/v1/audit');
  const origin = ['127.0.0.1', 'browser/1.0'];
  expect(
    log.items.map(({ act, address, user_agent }: Record<string, unknown>) => [
      act,
      address,
      user_agent,
    ]),
  ).toEqual([
    ['deletion.withdraw', ...origin],
    ['deletion.request', ...origin],
    ['user.change_password', ...origin],
    ['user.log_in', ...origin],
    ['user.register', ...origin],
  ]);
});

describe('members and plans (D145)', () => {
  it('a registered user joins a team, and the empty organization left behind closes', async () => {
    const owner = await newPerson(server);
    const colleague = await newPerson(server);
    const path = `/v1/admin/organizations/${owner.organizationId}/members`;
    const add = (email: string, role: string) => asAdmin('POST', path, { email, role });
    expect(await errorOf(add('unknown@example.com', 'MEMBER'))).toBe('404 RESOURCE_NOT_FOUND');
    expect(await errorOf(add(colleague.email, 'MEMBER'))).toBe('404 RESOURCE_NOT_FOUND');
    await proveAddress(server, colleague.email);
    expect((await add(colleague.email, 'MEMBER')).body).toMatchObject({ role: 'MEMBER' });
    expect((await colleague.call('GET', '/v1/membership/me')).status).toBe(401);
    const token = await logIn(server, colleague.email, colleague.password);
    const { body: me } = await callerWith(server, token)('GET', '/v1/membership/me');
    expect(me).toMatchObject({
      organization_id: owner.organizationId,
      organization_role: 'MEMBER',
    });
    expect(await errorOf(add(owner.email, 'MEMBER'))).toBe('409 CONFLICT_STATE');

    const busy = await newPerson(server);
    await busy.call('POST', '/v1/app-credentials', { label: 'in use' });
    await proveAddress(server, busy.email);
    expect(await errorOf(add(busy.email, 'MEMBER'))).toBe('409 CONFLICT_STATE');
  });

  it('a subscription opens production, and ends when its month is over', async () => {
    const person = await newPerson(server);
    const subscribe = (plan_code: string, status = 'ACTIVE') =>
      asAdmin('POST', `/v1/admin/organizations/${person.organizationId}/subscription`, {
        plan_code,
        status,
      });
    const issue = () =>
      person.call('POST', '/v1/app-credentials', {
        label: 'k',
        allowed_env_scopes: ['production'],
      });
    expect(await errorOf(issue())).toBe('402 POLICY_PAID_REQUIRED');
    expect(await errorOf(subscribe('NONE'))).toBe('400 VALIDATION_INVALID_FIELD');
    expect((await subscribe('STANDARD')).body).toMatchObject({ status: 'ACTIVE' });
    expect((await issue()).status).toBe(201);
    expect((await subscribe('STANDARD', 'PAUSED')).body.status).toBe('PAUSED');
    expect(await errorOf(issue())).toBe('402 POLICY_PAID_REQUIRED');
    await subscribe('STANDARD', 'ACTIVE');
    await server.advanceClock(32 * DAY);
    const { body } = await person.call('GET', '/v1/membership/me');
    expect(body).toMatchObject({ membership_tier: 'FREE', subscription_status: 'EXPIRED' });
    expect(await errorOf(subscribe('STANDARD', 'PAUSED'))).toBe('409 CONFLICT_STATE');
  });

  it('a subscription that is resumed after its period gets a new one (D115)', async () => {
    const person = await newPerson(server);
    const set = async (status: string) => {
      const path = `/v1/admin/organizations/${person.organizationId}/subscription`;
      const { body } = await asAdmin('POST', path, { plan_code: 'STANDARD', status });
      return { ...body, end: Date.parse(body.current_period_end) };
    };
    const shown = async () => (await person.call('GET', '/v1/membership/me')).body;
    const first = await set('ACTIVE');
    await server.advanceClock(10 * DAY);
    await set('PAUSED');
    // Within the period it only continues, with the renewal that was asked for.
    expect(await set('ACTIVE')).toMatchObject({ end: first.end });
    await set('ACTIVE');
    await set('PAUSED');
    await server.advanceClock(80 * DAY);
    expect(await shown()).toMatchObject({ subscription_status: 'PAUSED' });
    // What the paused period had left is over.
    const production = { env: 'production', headers: bearer(person.token) };
    const { body } = await server.call('GET', '/v1/membership/me', production);
    const { reset_at: resetAt } = body.quota_month_after;
    expect(Date.parse(resetAt)).toBeGreaterThan(first.end + 70 * DAY * 1_000);
    const resumed = await set('ACTIVE');
    expect(resumed.end).toBeGreaterThan(first.end + 80 * DAY * 1_000);
    await server.advanceClock(27 * DAY);
    expect(await shown()).toMatchObject({ membership_tier: 'PAID', subscription_status: 'ACTIVE' });
    await server.advanceClock(5 * DAY);
    expect(await shown()).toMatchObject({ subscription_status: 'EXPIRED' });
  });

  it('records every act of an operator in the audit log, read page by page', async () => {
    const acts: string[] = [];
    let cursor: string | null = null;
    do {
      const page = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await asAdmin('GET', `/v1/admin/audit?limit=7${page}`);
      acts.push(...body.items.map((item: { audit_id: number }) => item.audit_id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(new Set(acts).size).toBe(acts.length);
    expect(acts.length).toBeGreaterThan(20);
    const { body } = await asAdmin('GET', '/v1/admin/audit?act=member.set&limit=1');
    expect(body.items[0]).toMatchObject({ actor_kind: 'admin_user', details: { role: 'MEMBER' } });
    expect(body.items[0].trace_id).toMatch(/^trc_/);
  });
});
