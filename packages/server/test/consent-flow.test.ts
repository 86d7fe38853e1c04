import { randomUUID } from 'node:crypto';
import { demoMembers } from '@changgu/simulators';
import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LazySimulators, lazySimulators } from '../src/dev/lazy-simulators.ts';
import { ALL_ACTS } from '../src/store/testing/no-filter.ts';
import { encrypt } from './support/encrypt.ts';
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

type Caller = Pick<Person, 'call'>;

const begin = (body: object = {}, by: Caller = person) =>
  by.call('POST', '/v1/credentials/consent-url', { provider: 'bank_d', ...body });

const link = (authorization_code: string, state: string, by: Caller = person, more = {}) =>
  by.call('POST', '/v1/credentials/link', {
    provider: 'bank_d',
    authorization_code,
    state,
    ...more,
  });

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

  it('checks the rest of the request before it uses code and state up (D19)', async () => {
    const { body } = await begin();
    const code = (await consent(body.consent_url)).searchParams.get('code') ?? '';
    const refused = await link(code, body.state, person, { biz_number: '123' });
    expect([refused.status, refused.body.error.fields[0].loc]).toEqual([
      422,
      ['body', 'biz_number'],
    ]);
    expect((await link(code, body.state)).status).toBe(201);
  });

  it('renews the consent of a link, which keeps its bank accounts (D103)', async () => {
    const owner = await newPerson(server);
    const consented = async (more = {}) => {
      const { body } = await begin(more, owner);
      const code = (await consent(body.consent_url)).searchParams.get('code') ?? '';
      return link(code, body.state, owner);
    };
    const first = await consented();
    const { account_link_id: id } = first.body;
    const account = await owner.call('POST', `/v1/credentials/${id}/bank-accounts`, {
      account_no: encrypt('110123457890'),
      account_password: encrypt('1234'),
    });
    expect(account.status).toBe(201);
    const renewed = await consented({ account_link_id: id });
    expect([renewed.status, renewed.body.account_link_id, renewed.body.changed]).toEqual([
      200,
      id,
      true,
    ]);
    const { body: accounts } = await owner.call('GET', `/v1/credentials/${id}/bank-accounts`);
    expect(accounts.items).toHaveLength(1);
    expect((await owner.call('GET', '/v1/credentials')).body.items).toHaveLength(1);

    const stranger = await newPerson(server);
    for (const account_link_id of [id, randomUUID()]) {
      const refused = begin({ account_link_id }, stranger);
      expect(await errorOf(refused)).toBe('404 ACCOUNT_LINK_NOT_FOUND');
    }
    const purpose = { account_link_id: id, purpose: 'real' };
    expect(await errorOf(begin(purpose, owner))).toBe('422 VALIDATION_INVALID_FIELD');
    const { body: begun } = await begin({ account_link_id: id }, owner);
    const code = (await consent(begun.consent_url)).searchParams.get('code') ?? '';
    await owner.call('POST', `/v1/credentials/${id}/unlink`, {});
    expect(await errorOf(begin({ account_link_id: id }, owner))).toBe('404 ACCOUNT_LINK_NOT_FOUND');
    expect(await errorOf(link(code, begun.state, owner))).toBe('404 ACCOUNT_LINK_NOT_FOUND');
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
      const filter = { ...ALL_ACTS, organizationId, act: 'account_link.renew', limit: 10 };
      return (await server.core.store.audit.list(filter)).length;
    };
    expect([await listAccounts(), await renewals()]).toEqual(['SUCCEEDED', 0]);
    ahead += 3_601_000;
    expect([await listAccounts(), await renewals()]).toEqual(['SUCCEEDED', 1]);
    expect([await listAccounts(), await renewals()]).toEqual(['SUCCEEDED', 1]);
  });

  it('asks the bank of its purpose, then and at each renewal (D160)', async () => {
    const production = await lazySimulators(() => Date.now() + ahead);
    const both = await startTestServer({
      consentClientOf: simulators.consentClientOf,
      env: {
        PRODUCTION_URL_BANK_D: await production.urlOf('bank_d'),
        REAL_TEST_URL_BANK_D: await simulators.urlOf('bank_d'),
      },
    });
    try {
      const { email, password } = both.console;
      const owner = callerWith(both, await logIn(both, email, password));
      const by = { call: owner };
      for (const [purpose, bank] of [
        ['test', simulators],
        ['real', production],
      ] as const) {
        const { body } = await begin({ purpose }, by);
        expect(new URL(body.consent_url).origin).toBe(await bank.urlOf('bank_d'));
        const code = (await consent(body.consent_url)).searchParams.get('code') ?? '';
        const other = { purpose: purpose === 'test' ? 'real' : 'test' };
        const refused = await link(code, body.state, by, other);
        expect([refused.status, refused.body.error.fields[0].loc]).toEqual([
          422,
          ['body', 'purpose'],
        ]);
        const linked = await link(code, body.state, by);
        expect([linked.status, linked.body.purpose]).toEqual([201, purpose]);
      }
      const askedInProduction = async () => {
        const answer = await fetch(`${production.controlUrl}/bank_d/log`);
        return (await answer.json()).requests.length;
      };
      const before = await askedInProduction();
      const accounts = async () => {
        const { body: job } = await both.call('POST', '/v1/jobs', {
          env: 'real_test',
          key: randomUUID(),
          body: { provider: 'bank_d', action: 'bank_d.accounts.list' },
        });
        return (await both.ended(job.job_id, 'real_test')).status;
      };
      expect(await accounts()).toBe('SUCCEEDED');
      ahead += 3_601_000;
      expect(await accounts()).toBe('SUCCEEDED');
      expect(await askedInProduction()).toBe(before);
    } finally {
      await both[Symbol.asyncDispose]();
      await production.close();
    }
  });

  it('says so when the institution does not answer', async () => {
    const elsewhere = await startTestServer({
      consentClientOf: simulators.consentClientOf,
      env: { REAL_TEST_URL_BANK_D: 'http://127.0.0.1:9' },
    });
    try {
      const stranger = await newPerson(elsewhere);
      const { body } = await begin({}, stranger);
      const { status, body: answer } = await link('code', body.state, stranger);
      expect([status, answer.error]).toMatchObject([
        502,
        { code: 'PROVIDER_UPSTREAM_ERROR', retryable: false },
      ]);
      expect(answer.error.message).toContain('처음부터');
      expect(await errorOf(link('code', body.state, stranger))).toBe('400 CONSENT_STATE_INVALID');
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
