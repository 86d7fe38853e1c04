import { Changgu } from '@changgu/sdk';
import {
  type DemoCertificate,
  demoMembers,
  type Feature,
  type LogReport,
  type Provider,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import { registerBankAccount } from '../../src/credentials/bank-accounts.ts';
import { presentCertificate } from '../../src/credentials/certificate-credential.ts';
import { createIdentities } from '../../src/credentials/identity.ts';
import { registerLink } from '../../src/credentials/register-link.ts';
import type { SimulatedInstitutions } from '../../src/institutions/addresses.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './start-server.ts';

export { demoCertificates } from '@changgu/simulators';

/** A server whose real_test jobs go to simulated portals over HTTP, and a client of it. */
export interface RealTestServer {
  readonly server: TestServer;
  readonly simulators: Simulators;
  /** In real_test. */
  readonly client: Changgu;
  linkCertificate(provider: Provider, demo: DemoCertificate, isPrimary?: boolean): Promise<string>;
  linkLogin(provider: Provider, loginId: string, loginPassword: string): Promise<string>;
  addAccount(accountLinkId: string, accountNumber: string, password?: string): Promise<string>;
  log(provider: Provider): Promise<LogReport>;
  /** Nothing else stays on. */
  switchOn(provider: Provider, features: readonly Feature[]): Promise<void>;
  /** Business time of the portals, moved together with the server's. */
  advance(seconds: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const ACTOR = { kind: 'system', id: 'test', traceId: null } as const;

export interface RealTestOptions {
  readonly timers?: TestServerOptions['timers'];
  /** Where the server finds the portals; default: where they are. */
  readonly reachedBy?: (simulators: Simulators) => Promise<Readonly<Record<string, string>>>;
}

export async function startRealTestServer(
  env: Readonly<Record<string, string>> = {},
  { timers, reachedBy }: RealTestOptions = {},
): Promise<RealTestServer> {
  let offsetMs = 0;
  const simulators = await startSimulators({ now: () => Date.now() + offsetMs });
  const server = await startTestServer({
    env: { REAL_TEST_DAILY_TOKENS: '1000000', ...env },
    simulated: simulatedBy({ ...simulators.urls, ...(await reachedBy?.(simulators)) }),
    links: true,
    ...(timers && { timers }),
  });
  const client = new Changgu({
    baseUrl: server.url,
    clientId: server.client.client_id,
    clientSecret: server.client.client_secret,
    envScope: 'real_test',
  });
  const { store, vault } = server.core;
  const dependencies = { store, vault, identities: createIdentities(store, vault) };
  const owner = { organizationId: server.organizationId, actor: ACTOR };

  return {
    server,
    simulators,
    client,
    async linkCertificate(provider, demo, isPrimary = false) {
      const presented = await presentCertificate(
        {
          certificate: demo.certificateDer,
          encryptedKey: demo.encryptedKeyDer,
          password: demo.password,
        },
        { randomVid: demo.randomVid, policyOid: demo.policyOid },
        Date.now(),
      );
      const { link } = await registerLink(dependencies, {
        ...owner,
        providers: [provider],
        presented,
        labels: demo.businessNumber === null ? {} : { bizNumber: demo.businessNumber },
        purposeAt: () => 'test',
        isPrimary,
        confirm: false,
      });
      return link.id;
    },
    async linkLogin(provider, loginId, loginPassword) {
      const { link } = await registerLink(dependencies, {
        ...owner,
        providers: [provider],
        presented: {
          identity: { kind: 'login', parts: [loginId] },
          credential: { type: 'id_password', loginId, loginPassword },
          certificate: null,
        },
        labels: { bizNumber: demoMembers.corporation.businessNumber },
        purposeAt: () => 'test',
        isPrimary: false,
        confirm: false,
      });
      return link.id;
    },
    async addAccount(accountLinkId, accountNumber, accountPassword = '1234') {
      const account = { accountNumber, accountPassword };
      return (await registerBankAccount(dependencies, { ...owner, accountLinkId, account })).id;
    },
    async log(provider) {
      const answer = await fetch(`${simulators.controlUrl}/${provider}/log`);
      return (await answer.json()) as LogReport;
    },
    async switchOn(provider, features) {
      await fetch(`${simulators.controlUrl}/${provider}/features`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ features }),
      });
    },
    async advance(seconds) {
      offsetMs += seconds * 1_000;
      await server.advanceClock(seconds);
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
      await simulators.close();
    },
  };
}

export function simulatedBy(known: Readonly<Record<string, string>>): SimulatedInstitutions {
  return {
    has: (provider) => known[provider] !== undefined,
    async urlOf(provider) {
      const url = known[provider];
      if (url === undefined) throw new Error(`there is no simulated ${provider}`);
      return url;
    },
  };
}
