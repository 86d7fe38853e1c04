import { fileURLToPath } from 'node:url';
import {
  type DemoCertificate,
  demoAccounts,
  demoCertificates,
  type LogReport,
  type Provider,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectorCase, checkConnector } from '../../src/connector.ts';

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: Date.now });
});
afterAll(() => simulators.close());

function certificate(demo: DemoCertificate) {
  return {
    type: 'certificate',
    certificate: demo.certificateDer.toString('base64'),
    encryptedKey: demo.encryptedKeyDer.toString('base64'),
    password: demo.password,
  } as const;
}

function caseOf(path: string, action: string, more: Partial<ConnectorCase> = {}): ConnectorCase {
  const provider = action.slice(0, action.indexOf('.')) as Provider;
  const { corporation } = demoCertificates;
  return {
    module: fileURLToPath(new URL(`../../src/institutions/${path}`, import.meta.url)),
    action,
    baseUrl: simulators.urls[provider],
    link: { credential: certificate(corporation), businessNumber: corporation.businessNumber },
    ...more,
  };
}

async function broken(connectorCase: ConnectorCase) {
  return (await checkConnector(connectorCase)).filter(({ kept }) => !kept);
}

/** How many applications the portal has registered. */
async function applications(): Promise<number> {
  const log = await fetch(`${simulators.controlUrl}/tax_portal/log`);
  const { requests } = (await log.json()) as LogReport;
  return requests.filter(({ path, status }) => path === '/certificates/submit' && status === 303)
    .length;
}

describe('our own connectors keep the contract', { timeout: 180_000 }, () => {
  it('bank_b transaction history', async () => {
    const [account] = demoAccounts.bank_b;
    const { accountNo: accountNumber = '', accountPassword = '' } = account ?? {};
    const history = caseOf('banks/bank-b.ts', 'bank_b.accounts.transaction_history.search', {
      account: { accountNumber, accountPassword },
    });
    expect(await broken(history)).toEqual([]);
  });

  it('employment login', async () => {
    const login = caseOf('employment/employment.ts', 'employment.auth.npki_session.login');
    expect(await broken(login)).toEqual([]);
  });

  it('a certificate of the tax portal: killed before and after the point of no return (D03)', async () => {
    const application = caseOf('tax-portal/tax-portal.ts', 'tax_portal.c1.vat_standard', {
      before: ['tax_portal.s1.login'],
      effects: applications,
    });
    expect(await broken(application)).toEqual([]);
  });
});
