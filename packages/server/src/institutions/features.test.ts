import {
  demoAccounts,
  demoCertificates,
  demoMembers,
  type Feature,
  type Provider,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bankA } from './banks/bank-a.ts';
import { bankB } from './banks/bank-b.ts';
import { bankC } from './banks/bank-c.ts';
import { bankD } from './banks/bank-d.ts';
import type { InstitutionModule, JsonObject } from './connector.ts';
import { employment } from './employment/employment.ts';
import { readJson, readXml } from './portal/bodies.ts';
import { labelledValues, type PortalPage } from './portal/page.ts';
import { formIn, messageIn, openPortal, type PortalFace } from './portal/portal.ts';
import { logInByPassword } from './portal/portal-login.ts';
import { siEdi } from './si-edi/si-edi.ts';
import { taxPortal } from './tax-portal/tax-portal.ts';
import { changedHttp, withText } from './testing/changed-http.ts';
import {
  certificateCredential,
  fakeCall,
  memorySession,
  passwordCredential,
} from './testing/fake-call.ts';

const NOW = Date.parse('2026-11-21T12:00:00+09:00');
const MODULES: Partial<Record<Provider, InstitutionModule>> = {
  bank_a: bankA,
  bank_b: bankB,
  bank_c: bankC,
  bank_d: bankD,
  employment,
  si_edi: siEdi,
  tax_portal: taxPortal,
};
const PROVIDERS = Object.keys(MODULES) as Provider[];
/** A dozen pages, and at the bank that shows 92 days at a time two periods. */
const PERIOD = { from_date: '20260722', to_date: '20261121' };

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => NOW });
});
afterAll(() => simulators.close());

async function switchOn(provider: Provider, features: readonly Feature[]): Promise<void> {
  const answer = await fetch(`${simulators.controlUrl}/${provider}/features`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ features }),
  });
  expect(await answer.json()).toEqual({ features });
}
afterEach(() => Promise.all(PROVIDERS.map((provider) => switchOn(provider, []))));

/** Performs actions one after the other, with one session. */
async function perform(provider: Provider, ...actions: readonly [string, JsonObject?][]) {
  const session = memorySession();
  const account = provider.startsWith('bank_')
    ? demoAccounts[provider as 'bank_b'].at(0)
    : undefined;
  const credential = await certificateCredential(demoCertificates.corporation);
  const pauses: number[] = [];
  let data: JsonObject | null = null;
  for (const [name, params = {}] of actions) {
    const action = `${provider}.${name}`;
    const call = await fakeCall({
      baseUrl: simulators.urls[provider],
      action,
      params,
      session,
      now: () => NOW,
      link: { credential, businessNumber: demoMembers.corporation.businessNumber },
      site: { origins: () => [simulators.ssoUrl] },
      ...(account
        ? { account: { number: account.accountNo, password: account.accountPassword } }
        : {}),
    });
    data = (await MODULES[provider]?.connectors[action]?.(call)) ?? null;
    pauses.push(...call.pauses);
  }
  return { data: data ?? {}, pauses };
}

const HISTORY = 'accounts.transaction_history.search';
const plainHistories = new Map<Provider, ReturnType<typeof perform>>();
/** Read once from each bank, before it has any of the features. */
function plainHistory(bank: Provider) {
  const history = plainHistories.get(bank) ?? perform(bank, [HISTORY, PERIOD]);
  plainHistories.set(bank, history);
  return history;
}
/** Something that every connector does by a login and pages after it. */
const USUAL: Readonly<Record<string, readonly [string, JsonObject?][]>> = {
  bank_a: [['accounts.list']],
  bank_b: [['accounts.list']],
  bank_c: [['accounts.list']],
  bank_d: [['accounts.list']],
  employment: [['auth.npki_session.login'], ['auth.session.status']],
  si_edi: [
    ['auth.session.login'],
    ['b1.resources.faqs.list'],
    ['b1.resources.notices.institutions.list'],
  ],
  tax_portal: [
    ['s1.login'],
    ['c1.certificates_list'],
    ['e1.invoice_summary'],
    ['t1.payment_statement', { mate_knd_cd: 'A0051' }],
    ['c1.vat_standard'],
  ],
};

describe.each([
  ['one-time tokens', ['one_time_tokens']],
  ['view states', ['view_state']],
  ['checks of the Referer', ['referer_check']],
  ['multipart forms', ['multipart_forms']],
  ['notices after the login', ['already_logged_in', 'change_password']],
  ['a single sign-on at another origin', ['single_sign_on']],
  [
    'all of it at once',
    [
      'one_time_tokens',
      'view_state',
      'referer_check',
      'multipart_forms',
      'change_password',
      'already_logged_in',
      'single_sign_on',
    ],
  ],
] satisfies [string, Feature[]][])('portals with %s', (_, features) => {
  it.each(PROVIDERS)('%s', async (provider) => {
    await switchOn(provider, features);
    const { data } = await perform(provider, ...(USUAL[provider] ?? []));
    expect(data.success ?? data.exists).toBe(true);
  });

  it.each(['bank_b', 'bank_c', 'bank_d'] as const)('history of %s', async (bank) => {
    const plain = await plainHistory(bank);
    await switchOn(bank, features);
    expect((await perform(bank, [HISTORY, PERIOD])).data).toEqual(plain.data);
  });
});

describe('portals that turn their pages badly', () => {
  it.each(['bank_b', 'bank_c', 'bank_d'] as const)(
    '%s: rows that shift count once',
    async (bank) => {
      const plain = await plainHistory(bank);
      await switchOn(bank, ['shifting_rows']);
      expect((await perform(bank, [HISTORY, PERIOD])).data).toEqual(plain.data);
    },
  );

  it.each(['bank_b', 'bank_c', 'bank_d'] as const)(
    '%s: does not take the last page, sent again, for a new one',
    async (bank) => {
      const plain = await plainHistory(bank);
      await switchOn(bank, ['clamped_pages']);
      expect((await perform(bank, [HISTORY, PERIOD])).data).toEqual(plain.data);
    },
  );
});

describe('lists of the tax portal', () => {
  const SUBMISSIONS = 't1.payment_statement_submit_history';
  const MONTHS = { sbms_ym_strt: '202512', sbms_ym_end: '202611' };

  it('do not take the last page, sent again, for a new one', async () => {
    const plain = await perform('tax_portal', ['s1.login'], [SUBMISSIONS, MONTHS]);
    expect(plain.data.row_count).toBeGreaterThan(10);
    await switchOn('tax_portal', ['clamped_pages']);
    expect((await perform('tax_portal', ['s1.login'], [SUBMISSIONS, MONTHS])).data).toEqual(
      plain.data,
    );
  });

  it('are refused rather than told with rows doubled or lost', async () => {
    await switchOn('tax_portal', ['shifting_rows']);
    await expect(perform('tax_portal', ['s1.login'], [SUBMISSIONS, MONTHS])).rejects.toMatchObject({
      code: 'PROVIDER_UPSTREAM_ERROR',
    });
  });
});

describe('portals that do not want to be asked', () => {
  it.each([
    ['rate_limit', 1_000],
    ['rate_limit_page', 3_000],
  ] as const)('%s: are left alone for a while', async (feature, wait) => {
    const plain = await plainHistory('bank_b');
    await switchOn('bank_b', [feature]);
    const { data, pauses } = await perform('bank_b', [HISTORY, PERIOD]);
    expect(data).toEqual(plain.data);
    expect(new Set(pauses)).toEqual(new Set([wait]));
  });

  /** Reads after one login: what takes effect and logins are not repeated. */
  const READS = (['employment', 'si_edi', 'tax_portal'] as const).map((provider) => {
    const [login, ...others] = USUAL[provider] ?? [];
    const reads = others.filter(([name]) => name !== 'c1.vat_standard');
    return [provider, [login, ...reads, ...reads].flatMap((each) => (each ? [each] : []))] as const;
  });

  it.each(READS)('%s: every fifth request is repeated', async (provider, actions) => {
    const plain = await perform(provider, ...actions);
    await switchOn(provider, ['rate_limit']);
    const { data, pauses } = await perform(provider, ...actions);
    expect(data).toEqual(plain.data);
    expect(new Set(pauses)).toEqual(new Set([1_000]));
  });

  it.each(['bank_a', 'bank_b', 'bank_c', 'bank_d'] as const)(
    '%s: a login is not repeated, and the next jobs learn how long to wait (D165)',
    async (bank) => {
      await switchOn(bank, ['rate_limit']);
      const reads = Array.from({ length: 5 }, () => ['accounts.list'] as [string]);
      await expect(perform(bank, ...reads)).rejects.toMatchObject({
        code: 'PROVIDER_UPSTREAM_ERROR',
        details: { upstreamStatus: 429, leaveAloneMs: 1_000 },
      });
    },
  );

  it.each(PROVIDERS)(
    '%s: say that they are under maintenance with status 200',
    async (provider) => {
      await switchOn(provider, ['maintenance_page']);
      await expect(perform(provider, ...(USUAL[provider] ?? []))).rejects.toMatchObject({
        code: 'PROVIDER_MAINTENANCE',
      });
    },
  );
});

describe('answers that are not pages', () => {
  it('XML', async () => {
    const credential = passwordCredential('user1234', 'demo1234!');
    const call = await fakeCall({
      baseUrl: simulators.urls.tax_portal,
      action: 'tax_portal.s1.login',
      link: { credential },
    });
    const portal = openPortal(call, FACE);
    const login = { form: '#idLoginForm', id: 'userId', password: 'userPw' };
    const { link } = call;
    if (link?.credential.type !== 'id_password') throw new Error('no password');
    await logInByPassword(portal, await portal.get('/login'), login, link.credential, isUserInfo);
    const answer = await portal.ask({
      method: 'POST',
      path: '/permission.do',
      body: { content: '<map id="postParam"/>', contentType: 'application/xml; charset=UTF-8' },
    });
    expect(readXml(answer).$('result').text()).toBe('S');
    const wrong = { content: '{}', contentType: 'application/xml' };
    await expect(
      portal.ask({ method: 'POST', path: '/permission.do', body: wrong }),
    ).rejects.toMatchObject({ name: 'InstitutionError' });
  });

  it('JSON that refuses a login, with its status, only where JSON was asked for', async () => {
    const said = { code: 'E1401', message: '비밀번호가 일치하지 않습니다.' };
    const answered = async (status: number) => {
      const http = changedHttp((response) => ({
        ...withText(response, JSON.stringify(said)),
        contentType: 'application/json',
        status,
      }));
      const baseUrl = simulators.urls.tax_portal;
      return openPortal(await fakeCall({ baseUrl, action: 'tax_portal.s1.login', http }), FACE);
    };
    const refused = await (await answered(401)).ask({ method: 'POST', path: '/login' }, 'login');
    expect([refused.status, readJson(refused)]).toEqual([401, said]);
    const fails = { code: 'PROVIDER_UPSTREAM_ERROR', details: { upstreamStatus: 404 } };
    for (const visit of ['get', 'download'] as const) {
      const failure = (await answered(404))[visit]('/login');
      await expect(failure).rejects.toMatchObject({ ...fails, transient: false });
    }
    for (const status of [429, 500]) {
      const failure = (await answered(status)).ask({ path: '/login' }, 'login');
      await expect(failure).rejects.toMatchObject({ details: { upstreamStatus: status } });
    }
  });
});

const FACE: PortalFace = {
  provider: 'tax_portal',
  message: (page) => messageIn(page, '#content > #alertMessage', '#content > .err_cd'),
  detour: (page) => formIn(page, '#laterForm'),
};
const isUserInfo = (page: PortalPage) => labelledValues(page, '#content > table.tbl_info');

describe('a password that the page encrypts', () => {
  it.each([
    ['bank_a', 'accounts.list'],
    ['bank_b', 'accounts.list'],
    ['bank_c', 'accounts.list'],
    ['bank_d', 'accounts.list'],
    ['tax_portal', 's1.login'],
  ] as const)('is typed on the keypad of %s, and never sent itself', async (provider, name) => {
    const { loginId, loginPassword } = demoMembers.corporation;
    const action = `${provider}.${name}`;
    const run = async (password: string) => {
      await switchOn(provider, ['keypad', 'one_time_tokens']);
      const credential = passwordCredential(loginId, password);
      const baseUrl = simulators.urls[provider];
      const call = await fakeCall({ baseUrl, action, now: () => NOW, link: { credential } });
      const ended = MODULES[provider]?.connectors[action]?.(call);
      return { call, ended };
    };
    const right = await run(loginPassword);
    expect(await right.ended).toMatchObject({ success: true });
    expect(JSON.stringify(right.call.requests)).not.toContain(loginPassword);
    // The keypad has no such key, so nothing is sent at all.
    const impossible = await run('비밀번호');
    await expect(impossible.ended).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    expect(impossible.call.requests.every(({ method }) => method !== 'POST')).toBe(true);
  });
});
