import { randomUUID } from 'node:crypto';
import { demoMembers } from '@changgu/simulators';
import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LazySimulators, lazySimulators } from '../src/dev/lazy-simulators.ts';
import { errorOf } from './support/outcomes.ts';
import { callerWith, logIn, newMember, newPerson, type Person } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let simulators: LazySimulators;
let server: TestServer;
let person: Person;

/** How far the bank's clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  simulators = await lazySimulators(() => Date.now() + ahead);
  server = await startTestServer({
    simulated: simulators,
    consentClientOf: simulators.consentClientOf,
  });
  person = await newPerson(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await simulators.close();
});

const begin = (body: object = {}, by = person) =>
  by.call('POST', '/v1/credentials/consent-url', { provider: 'bank_d', ...body });

const link = (authorization_code: string, state: string, by = person) =>
  by.call('POST', '/v1/credentials/link', { provider: 'bank_d', authorization_code, state });

/** What the person does in a browser: reads the screen, logs in, consents, is sent back. */
async function consent(url: string, decision = 'approve'): Promise<URL> {
  const screen = await fetch(url);
  const cookie = screen.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = load(await screen.text());
  const hidden = (name: string) => String(page(`input[name="${name}"]`).val());
  const { loginId, loginPassword } = demoMembers.corporation;
  const form = new URLSearchParams([
    ['_csrf', hidden('_csrf')],
    ['request', hidden('request')],
    ['id', loginId],
    ['password', loginPassword],
    ['scope', 'accounts'],
    ['scope', 'transactions'],
    ['decision', decision],
  ]);
  const answer = await fetch(new URL('/oauth/authorize', url), {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`${answer.status} ${await answer.text()}`);
  return new URL(location);
}

describe('the consent flow (D103)', () => {
  it('asks for the default set, refuses unknown features and any return address (R95)', async () => {
    const { status, body } = await begin({ features: null });
    expect(status).toBe(200);
    const url = new URL(body.consent_url);
    expect(url.searchParams.get('scope')).toBe('accounts transactions');
    expect(url.searchParams.get('state')).toBe(body.state);
    expect(url.searchParams.get('redirect_uri')).toBe(
      `${server.url}/v1/credentials/consent-return`,
    );
    const one = await begin({ features: ['accounts'] });
    expect(new URL(one.body.consent_url).searchParams.get('scope')).toBe('accounts');
    expect(await errorOf(begin({ features: ['everything'] }))).toBe('400 VALIDATION_INVALID_FIELD');
    expect(await errorOf(begin({ features: [] }))).toBe('400 VALIDATION_INVALID_FIELD');
    expect(await errorOf(begin({ provider: 'bank_a' }))).toBe('400 VALIDATION_INVALID_FIELD');
    for (const name of ['redirect_uri', 'return_url']) {
      const refused = await begin({ [name]: 'https://evil.example' });
      expect(refused.body.error.fields[0].type).toBe('extra_forbidden');
    }
  });

  it('ends in a link, once', async () => {
    const { body } = await begin();
    const back = await consent(body.consent_url);
    const page = await (await fetch(back)).text();
    const code = back.searchParams.get('code') ?? '';
    expect(page).toContain(code);
    expect(page).not.toContain('<script');

    const linked = await link(code, body.state);
    expect([linked.status, linked.body.auth_type]).toEqual([201, 'consent']);
    expect(await errorOf(link(code, body.state))).toBe('400 CONSENT_STATE_INVALID');
    const { body: record } = await person.call(
      'GET',
      `/v1/credentials/${linked.body.account_link_id}`,
    );
    expect(record).toMatchObject({ auth_type: 'consent', status: 'ACTIVE' });
  });

  it('binds the state to who began it, for ten minutes', async () => {
    const stranger = await newPerson(server);
    const { body } = await begin();
    const code = (await consent(body.consent_url)).searchParams.get('code') ?? '';
    expect(await errorOf(link(code, body.state, stranger))).toBe('400 CONSENT_STATE_INVALID');
    const colleague = await newMember(server, person, 'ADMIN');
    expect(await errorOf(link(code, body.state, colleague))).toBe('400 CONSENT_STATE_INVALID');
    expect(await errorOf(link('no-such-code', body.state))).toBe('400 CONSENT_STATE_INVALID');
    const late = await begin();
    const lateCode = (await consent(late.body.consent_url)).searchParams.get('code') ?? '';
    await server.advanceClock(601);
    expect(await errorOf(link(lateCode, late.body.state))).toBe('400 CONSENT_STATE_INVALID');
  });

  it('keeps renewed tokens at the link, so that the next job has them', async () => {
    const { email, password } = server.console;
    const owner = callerWith(server, await logIn(server, email, password));
    const { body } = await owner('POST', '/v1/credentials/consent-url', { provider: 'bank_d' });
    const code = (await consent(body.consent_url)).searchParams.get('code');
    const linked = await owner('POST', '/v1/credentials/link', {
      provider: 'bank_d',
      authorization_code: code,
      state: body.state,
    });
    const listAccounts = async () => {
      const { body: job } = await server.call('POST', '/v1/jobs', {
        env: 'real_test',
        key: randomUUID(),
        body: {
          provider: 'bank_d',
          action: 'bank_d.accounts.list',
          account_link_id: linked.body.account_link_id,
        },
      });
      return (await server.ended(job.job_id, 'real_test')).status;
    };
    const renewals = async () => {
      const { organizationId } = server;
      const filter = { organizationId, act: 'account_link.renew', limit: 10 };
      return (await server.core.store.audit.list(filter)).length;
    };
    expect([await listAccounts(), await renewals()]).toEqual(['SUCCEEDED', 0]);
    ahead = 3_601_000;
    expect([await listAccounts(), await renewals()]).toEqual(['SUCCEEDED', 1]);
    expect([await listAccounts(), await renewals()]).toEqual(['SUCCEEDED', 1]);
  });

  it('says so when the institution does not answer', async () => {
    const elsewhere = await startTestServer({
      consentClientOf: simulators.consentClientOf,
      env: { REAL_TEST_URL_BANK_D: 'http://127.0.0.1:9' },
    });
    try {
      const stranger = await newPerson(elsewhere);
      const { body } = await begin({}, stranger);
      expect(await errorOf(link('code', body.state, stranger))).toBe('502 PROVIDER_UPSTREAM_ERROR');
    } finally {
      await elsewhere[Symbol.asyncDispose]();
    }
  });

  it('says so when the person refused, and shows nothing as markup', async () => {
    const { body } = await begin();
    const back = await consent(body.consent_url, 'deny');
    expect(await (await fetch(back)).text()).toContain('완료되지 않았습니다');
    const hostile = new URL('/v1/credentials/consent-return', server.url);
    hostile.searchParams.set('code', '<script>alert(1)</script>');
    hostile.searchParams.set('state', '"><img src=x>');
    const answer = await fetch(hostile);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).not.toMatch(/<script|<img/);
  });
});
