import {
  demoAccounts,
  demoCertificates,
  demoMembers,
  type LogReport,
  type Provider,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bankA } from './banks/bank-a.ts';
import { bankB } from './banks/bank-b.ts';
import { bankC } from './banks/bank-c.ts';
import { bankD } from './banks/bank-d.ts';
import type { Credential } from './connector.ts';
import { employment } from './employment/employment.ts';
import { createPortalHttp, HTTP_LIMITS, type PortalHttp } from './portal/client/http-client.ts';
import { siEdi } from './si-edi/si-edi.ts';
import { taxPortal } from './tax-portal/tax-portal.ts';
import { consentAt } from './testing/bank-consent.ts';
import { type Break, type BreakingLine, startBreakingLine } from './testing/breaking-line.ts';
import {
  certificateCredential,
  type FakeCallOptions,
  fakeCall,
  memorySession,
  passwordCredential,
} from './testing/fake-call.ts';

const NOW = Date.parse('2026-11-21T12:00:00+09:00');
const BREAKS = ['reset', 'half a body', 'silence', 'no page'] as const;
/** The login page, the login, and the page that it leads to. */
const FIRST_PAGE = 3;

const byCertificate = () => certificateCredential(demoCertificates.corporation);
const { loginId, loginPassword } = demoMembers.corporation;
const byPassword = async () => passwordCredential(loginId, loginPassword);

const LOGINS = [
  ['bank_a', 'accounts.list', 'certificate', byCertificate],
  ['bank_b', 'accounts.list', 'certificate', byCertificate],
  ['bank_c', 'accounts.list', 'certificate', byCertificate],
  ['bank_d', 'accounts.list', 'certificate', byCertificate],
  ['bank_a', 'accounts.list', 'password', byPassword],
  ['tax_portal', 's1.login', 'certificate', byCertificate],
  ['tax_portal', 's1.login', 'password', byPassword],
  ['employment', 'auth.npki_session.login', 'certificate', byCertificate],
  ['si_edi', 'auth.session.login', 'certificate', byCertificate],
] as const satisfies readonly [Provider, string, string, () => Promise<Credential>][];
/** Those whose login later calls use. */
const KEPT = LOGINS.filter(([, action]) => action.endsWith('login'));

const MODULES = {
  bank_a: bankA,
  bank_b: bankB,
  bank_c: bankC,
  bank_d: bankD,
  employment,
  si_edi: siEdi,
  tax_portal: taxPortal,
};

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => NOW });
});
afterAll(() => simulators.close());

const lines: BreakingLine[] = [];
afterEach(async () => {
  await Promise.all(lines.splice(0).map((line) => line.close()));
});

type Name = (typeof LOGINS)[number][0];

interface Run {
  readonly action: string;
  readonly credential: Credential;
  /** Which request breaks, and how. */
  readonly at?: number;
  readonly how?: Break;
  readonly more?: Partial<FakeCallOptions>;
}

async function run(provider: Name, { action, credential, at, how = 'reset', more = {} }: Run) {
  let late = new AbortController();
  const line = await startBreakingLine(
    simulators.urls[provider],
    (asked) => (asked.length === at ? how : null),
    () => {
      late.abort(new DOMException('too late', 'TimeoutError'));
      late = new AbortController();
    },
  );
  lines.push(line);
  const http: PortalHttp = createPortalHttp(HTTP_LIMITS, { timeout: () => late.signal });
  const id = `${provider}.${action}`;
  const call = await fakeCall({
    baseUrl: line.url,
    action: id,
    now: () => NOW,
    link: { credential },
    http,
    ...more,
  });
  const connector = MODULES[provider].connectors[id];
  if (connector === undefined) throw new Error(`${id} has no connector`);
  const ended = await connector(call).catch((error: unknown) => error);
  await http.close();
  return { ended, call, asked: line.asked };
}

async function sessionsAt(provider: Name) {
  const answer = await fetch(`${simulators.controlUrl}/${provider}/log`);
  const { sessions } = (await answer.json()) as LogReport;
  return sessions;
}
const lastSession = async (provider: Name) => (await sessionsAt(provider)).at(-1);

const UPSTREAM = { name: 'InstitutionError', code: 'PROVIDER_UPSTREAM_ERROR' };

describe.each(LOGINS)('a login at %s (%s, by %s)', (provider, action, _, credentialOf) => {
  it.each(BREAKS)('is ended when the first page after it is lost: %s', async (how) => {
    const credential = await credentialOf();
    const { ended, call } = await run(provider, { action, credential, at: FIRST_PAGE, how });
    expect(ended).toMatchObject(UPSTREAM);
    expect(await lastSession(provider)).toMatchObject({ ended_by: 'logout' });
    expect(call.presented()).toBe(1);
    await expect(call.session.load()).resolves.toBeNull();
  });

  it('is ended when the answer to the login itself is lost', async () => {
    const credential = await credentialOf();
    const { ended } = await run(provider, { action, credential, at: FIRST_PAGE - 1 });
    expect(ended).toMatchObject(UPSTREAM);
    expect(await lastSession(provider)).toMatchObject({ ended_by: 'logout' });
  });

  it('fails as before when the logout fails as well', async () => {
    const credential = await credentialOf();
    const line = await startBreakingLine(simulators.urls[provider], ({ length }) =>
      length >= FIRST_PAGE ? 'reset' : null,
    );
    lines.push(line);
    const more = { baseUrl: line.url };
    const { ended } = await run(provider, { action, credential, more });
    expect(ended).toMatchObject(UPSTREAM);
  });
});

describe.each(KEPT)('a login at %s (%s, by %s)', (provider, action, _, credentialOf) => {
  it('stays open for the next calls', async () => {
    const { ended } = await run(provider, { action, credential: await credentialOf() });
    expect(ended).toMatchObject({ success: true });
    expect(await lastSession(provider)).toMatchObject({ ended_by: null });
  });

  it('is ended when it cannot be kept', async () => {
    const session = {
      ...memorySession(),
      save: async () => {
        throw new Error('the store is away');
      },
    };
    const credential = await credentialOf();
    const { ended } = await run(provider, { action, credential, more: { session } });
    expect(ended).toBeInstanceOf(Error);
    expect(await lastSession(provider)).toMatchObject({ ended_by: 'logout' });
  });
});

describe.each(['bank_a', 'bank_b', 'bank_c', 'bank_d'] as const)(
  'the account list of %s',
  (bank) => {
    const action = 'accounts.list';

    it('logs out also where every page of the list breaks off (D142)', async () => {
      const credential = passwordCredential('somebody0520', 'demo1234!');
      const { ended } = await run(bank, { action, credential });
      expect(ended).toMatchObject(UPSTREAM);
      expect(await lastSession(bank)).toMatchObject({ ended_by: 'logout' });
    });

    it('logs out also where the bank refuses the list (D142)', async () => {
      const credential = passwordCredential('somebody0402', 'demo1234!');
      const { ended } = await run(bank, { action, credential });
      expect(ended).toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
      expect(await lastSession(bank)).toMatchObject({ ended_by: 'logout' });
    });

    it('asks for nothing more after a refused login (D142)', async () => {
      const credential = passwordCredential('somebody0401', 'demo1234!');
      const { asked } = await run(bank, { action, credential });
      expect(asked).toHaveLength(FIRST_PAGE - 1);
    });
  },
);

describe('a portal that asks to be left alone', () => {
  const limited = async (features: readonly string[]) => {
    await fetch(`${simulators.controlUrl}/bank_a/features`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ features }),
    });
  };
  afterEach(() => limited([]));

  /** Two requests before the login, so that the page after it is the fifth. */
  async function listAtTheLimit(timeLeft: () => number) {
    await limited(['rate_limit']);
    for (const path of ['/login', '/login']) await fetch(`${simulators.urls.bank_a}${path}`);
    const credential = await byPassword();
    return run('bank_a', { action: 'accounts.list', credential, more: { timeLeft } });
  }

  it('is left alone before the logout', async () => {
    const { ended, call } = await listAtTheLimit(() => 60_000);
    expect(ended).toMatchObject({ ...UPSTREAM, details: { leaveAloneMs: 1_000 } });
    expect(call.pauses).toEqual([1_000]);
    expect(await lastSession('bank_a')).toMatchObject({ ended_by: 'logout' });
  });

  it('is not asked for the logout where the job has no time to wait', async () => {
    const { ended, asked } = await listAtTheLimit(() => 5_000);
    expect(ended).toMatchObject({ ...UPSTREAM, details: { leaveAloneMs: 1_000 } });
    expect(asked).toHaveLength(FIRST_PAGE);
  });
});

describe('a session that bank_d opens by consent', () => {
  const LIST = 'accounts.list';
  const HISTORY = 'accounts.transaction_history.search';
  const [account] = demoAccounts.bank_d;
  if (account === undefined) throw new Error('bank_d has no demo account');
  const more = { account: { number: account.accountNo, password: account.accountPassword } };

  async function byConsent(): Promise<Credential> {
    const authorization = await consentAt(simulators.urls.bank_d, ['accounts', 'transactions']);
    return { type: 'consent', authorization, renew: async () => null };
  }

  /** A quick inquiry is a login with the account, and opens another. */
  const loginSession = async () =>
    (await sessionsAt('bank_d')).findLast(({ kind }) => kind === 'login');

  it.each([LIST, HISTORY])('ends with the work (%s)', async (action) => {
    const credential = await byConsent();
    const { ended } = await run('bank_d', { action, credential, more });
    expect(ended).toMatchObject({ success: true });
    expect(await loginSession()).toMatchObject({ ended_by: 'logout' });
  });

  it.each([LIST, HISTORY])('ends when the first page in it is lost (%s)', async (action) => {
    const credential = await byConsent();
    const { ended } = await run('bank_d', { action, credential, at: 2, more });
    expect(ended).toMatchObject(UPSTREAM);
    expect(await loginSession()).toMatchObject({ ended_by: 'logout' });
  });
});
