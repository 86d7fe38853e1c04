import type { KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../src/clock.ts';
import { type StartOptions, startServer } from '../../src/composition/server.ts';
import { readConfig } from '../../src/config/server-config.ts';
import { type CoreDependencies, openCore } from '../../src/core.ts';
import { createDemoOrganization, demoAdminToken } from '../../src/dev/demo-organization.ts';
import type { SimulatedInstitutions } from '../../src/institutions/addresses.ts';
import { copyMigratedSqlite } from '../../src/store/testing/sqlite-template.ts';
import { currentRsaKey } from '../fixtures/rsa-oaep/rsa-keys.ts';

export interface TestServerOptions {
  /** Further CHANGGU_ variables, without the prefix: `{ SANDBOX_DELAY_MS: '50' }`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly simulated?: SimulatedInstitutions;
  readonly simulatorControl?: StartOptions['simulatorControl'];
  readonly consentClientOf?: StartOptions['consentClientOf'];
  readonly simulatedPayment?: StartOptions['simulatedPayment'];
  readonly oauthDocuments?: StartOptions['oauthDocuments'];
  readonly timers?: StartOptions['timers'];
  /** Another server's data directory, to start again on its database. */
  readonly dataDir?: string;
  /** With links to every institution and their bank accounts; default false. */
  readonly links?: boolean;
  /** Log lines go here instead of nowhere. */
  readonly log?: string[];
  /** Default: the one key that `encrypt` knows, for every organization. */
  readonly generateEncryptionKey?: () => Promise<KeyObject>;
  /** Signs the demo owner in, once. */
  readonly signInToken?: string;
}

export interface TestServer {
  readonly url: string;
  readonly core: CoreDependencies;
  readonly dataDir: string;
  readonly organizationId: number;
  /** Sandbox and real_test. */
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly console: { readonly email: string; readonly password: string };
  readonly legacyApiKey: string;
  /** Bearer token of an operator. */
  readonly adminToken: string;
  /** Headers of a call as the demo client; `env` is sandbox unless given. */
  headers(env?: string): Record<string, string>;
  /** A call as the demo client, with a JSON body when there is one. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Reads a job until it has ended. */
  ended(jobId: string, env?: string): Promise<Record<string, unknown>>;
  advanceClock(seconds: number): Promise<number>;
  close(): Promise<void>;
  /** Stops, and deletes the data directory. */
  [Symbol.asyncDispose](): Promise<void>;
}

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-test-'));
  await copyMigratedSqlite(join(dataDir, 'changgu.db'));
  return dataDir;
}

export interface CallOptions {
  readonly env?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail when it is not there
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
}

/**
 * A whole server in this process on its own port, with a demo organization; SQLite in a
 * directory of its own unless `env.DATABASE_URL` says otherwise. Its answers are checked against the contract.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await newDataDir());
  const given = Object.entries(options.env ?? {}).map(([name, value]) => [
    `CHANGGU_${name}`,
    value,
  ]);
  const config = await readConfig('dev', Object.fromEntries(given), { port: 0, dataDir });
  const core = await openCore(config, {
    clock: systemClock,
    createDevKey: true,
    generateEncryptionKey: options.generateEncryptionKey ?? (async () => currentRsaKey),
  });
  const demo = await createDemoOrganization(core, { links: options.links ?? false });
  const adminToken = await demoAdminToken(core);
  const { log } = options;
  const server = await startServer(config, {
    core,
    logger: log
      ? pino({ level: 'debug' }, { write: (line: string) => void log.push(line) })
      : pino({ level: 'silent' }),
    checkAnswers: true,
    ...(options.simulated ? { simulated: options.simulated } : {}),
    ...(options.simulatorControl ? { simulatorControl: options.simulatorControl } : {}),
    ...(options.consentClientOf ? { consentClientOf: options.consentClientOf } : {}),
    ...(options.oauthDocuments ? { oauthDocuments: options.oauthDocuments } : {}),
    ...(options.timers ? { timers: options.timers } : {}),
    ...(options.simulatedPayment ? { simulatedPayment: options.simulatedPayment } : {}),
    ...(options.signInToken ? { signInOnce: { token: options.signInToken, ...demo.console } } : {}),
  });
  const { client_id: id, client_secret: secret } = demo.client;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const headers = (env = 'sandbox') => ({ authorization, 'x-env-scope': env });

  async function call(
    method: string,
    path: string,
    { env, key, body, headers: more }: CallOptions = {},
  ) {
    const answer = await fetch(new URL(path, server.url), {
      method,
      headers: {
        ...headers(env),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
  }

  async function ended(jobId: string, env?: string) {
    for (;;) {
      const { body } = await call('GET', `/v1/jobs/${jobId}`, {
        ...(env === undefined ? {} : { env }),
        headers: { prefer: 'wait=10' },
      });
      if (!['QUEUED', 'RUNNING'].includes(body.status)) return body;
    }
  }

  return {
    url: server.url,
    core,
    dataDir,
    organizationId: demo.organization_id,
    client: demo.client,
    console: demo.console,
    legacyApiKey: demo.legacy_api_key,
    adminToken,
    headers,
    call,
    ended,
    advanceClock: server.advanceClock,
    close: server.close,
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
