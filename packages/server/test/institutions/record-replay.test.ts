import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  demoAccounts,
  demoCertificates,
  demoMembers,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import {
  type ConnectorCase,
  recordConnector,
  replayConnector,
  type Trace,
} from '../../src/connector.ts';
import { writtenAs } from '../../src/institutions/contract/case-secrets.ts';

const sources = new URL('../../src/institutions/', import.meta.url);
const moduleOf = (path: string) => fileURLToPath(new URL(path, sources));
const { corporation } = demoCertificates;
const certificate = {
  type: 'certificate',
  certificate: corporation.certificateDer.toString('base64'),
  encryptedKey: corporation.encryptedKeyDer.toString('base64'),
  password: corporation.password,
} as const;

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: Date.now });
});
afterAll(() => simulators.close());

function historyCase(): ConnectorCase {
  const account = demoAccounts.bank_b.at(0);
  return {
    module: moduleOf('banks/bank-b.ts'),
    action: 'bank_b.accounts.transaction_history.search',
    baseUrl: simulators.urls.bank_b,
    params: { order: 'asc' },
    link: { credential: certificate, businessNumber: corporation.businessNumber },
    account: {
      accountNumber: account?.accountNo ?? '',
      accountPassword: account?.accountPassword ?? '',
    },
  };
}

function accountsCase(): ConnectorCase {
  return {
    module: moduleOf('banks/bank-a.ts'),
    action: 'bank_a.accounts.list',
    baseUrl: simulators.urls.bank_a,
    link: { credential: certificate },
  };
}

function userInfoCase(): ConnectorCase {
  return {
    module: moduleOf('tax-portal/tax-portal.ts'),
    action: 'tax_portal.s1.user_info',
    before: ['tax_portal.s1.login'],
    baseUrl: simulators.urls.tax_portal,
    link: { credential: certificate, businessNumber: corporation.businessNumber },
  };
}

function statementsCase(): ConnectorCase {
  return {
    ...userInfoCase(),
    action: 'tax_portal.t1.payment_statement',
    params: { mate_knd_cd: 'A0051' },
  };
}

/** Every way in which a secret could stand in a trace. */
function found(trace: Trace, secrets: readonly string[]): string[] {
  const text = JSON.stringify(trace);
  const digits = text.replaceAll(/(?<=\d)-(?=\d)/g, '');
  return secrets.filter((secret) =>
    /^\d{4}$/.test(secret)
      ? new RegExp(`(?<![\\d,.-])${secret}(?![\\d,.-])`).test(text)
      : writtenAs(secret).some((form) => text.includes(form)) || digits.includes(secret),
  );
}

describe('a trace of a run', { timeout: 60_000 }, () => {
  it('holds no secret, in no way of writing it', async () => {
    const history = historyCase();
    const { accountNumber = '', accountPassword = '' } = history.account ?? {};
    const secrets = [
      accountNumber,
      accountPassword,
      corporation.businessNumber ?? '',
      certificate.password,
      certificate.certificate,
      certificate.encryptedKey,
    ];
    const trace = await recordConnector(history);
    expect(trace.end.kind).toBe('done');
    expect(found(trace, secrets)).toEqual([]);
    expect(JSON.stringify(trace)).not.toMatch(/set-cookie|WMONID/i);
    expect(found(await recordConnector(userInfoCase()), secrets)).toEqual([]);
    const login = {
      type: 'id_password',
      loginId: demoMembers.corporation.loginId,
      loginPassword: demoMembers.corporation.loginPassword,
    } as const;
    const byPassword = await recordConnector({ ...userInfoCase(), link: { credential: login } });
    expect(byPassword.end.kind).toBe('done');
    expect(found(byPassword, [login.loginId, login.loginPassword])).toEqual([]);
  });

  it('holds no account of the customer, though the case names none', async () => {
    const trace = await recordConnector(accountsCase());
    expect(trace.end).toMatchObject({ kind: 'done', data: { success: true } });
    const accounts = demoAccounts.bank_a.map(({ accountNo }) => accountNo);
    expect(accounts.length).toBeGreaterThan(1);
    expect(found(trace, accounts)).toEqual([]);
  });

  it('keeps names out that it is told', async () => {
    const [name] = ['이창구'];
    expect(found(await recordConnector(userInfoCase()), [name ?? ''])).toEqual([name]);
    const trace = await recordConnector(userInfoCase(), { hide: [name ?? ''] });
    expect(found(trace, [name ?? ''])).toEqual([]);
  });

  it.each([
    ['pages of a history', historyCase],
    ['a session', userInfoCase],
    ['a list of accounts', accountsCase],
    ['a downloaded file', statementsCase],
  ])('is enough to run the connector again: %s', async (_, make) => {
    const recorded = make();
    const trace: Trace = JSON.parse(JSON.stringify(await recordConnector(recorded)));
    const replay = await replayConnector(recorded.module, trace);
    expect(replay).toMatchObject({ asRecorded: true, unanswered: [], unused: [] });
  });

  it('shows what a changed page does to the connector', async () => {
    const trace = await recordConnector(historyCase());
    const exchanges = trace.exchanges.map((exchange) => ({
      ...exchange,
      text: exchange.text?.replaceAll('이월잔액', '이월 금액') ?? null,
    }));
    const replay = await replayConnector(historyCase().module, { ...trace, exchanges });
    expect(replay).toMatchObject({
      asRecorded: false,
      end: { kind: 'failed', code: 'PROVIDER_UPSTREAM_ERROR' },
    });
  });

  it('stops at the point of no return unless it may take effect', async () => {
    const issue = { ...userInfoCase(), action: 'tax_portal.c1.vat_standard' };
    const trace = await recordConnector(issue);
    expect(trace.end).toMatchObject({ kind: 'failed', code: 'JOB_CANCELED' });
    expect(trace.exchanges.map(({ path }) => path)).not.toContain('/certificates/submit');
    const replay = await replayConnector(issue.module, JSON.parse(JSON.stringify(trace)));
    expect(replay).toMatchObject({ asRecorded: true, unanswered: [], unused: [] });
    expect((await recordConnector(issue, { allowEffects: true })).end.kind).toBe('done');
  });
});

describe('changgu-server connector', { timeout: 60_000 }, () => {
  it('records to a file that only its owner can read, and replays it', async () => {
    const base = join(tmpdir(), `changgu-trace-${process.pid}`);
    const [caseFile, traceFile] = [`${base}.case.json`, `${base}.trace.json`];
    const recorded = userInfoCase();
    await writeFile(caseFile, JSON.stringify(recorded), { mode: 0o600 });
    const run = (...args: string[]) =>
      createProgram().parseAsync(['connector', ...args], { from: 'user' });
    const printed: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    await run('record', '--case', caseFile, '--out', traceFile);
    expect((await stat(traceFile)).mode & 0o777).toBe(0o600);
    expect(await readFile(traceFile, 'utf8')).not.toContain(certificate.password);
    await run('replay', traceFile, '--module', recorded.module);
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { trace: traceFile, end: 'done' },
      { asRecorded: true, unanswered: [], unused: [] },
    ]);
    expect(process.exitCode).toBeUndefined();
    await Promise.all([caseFile, traceFile].map((path) => rm(path)));
  });
});
