import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { startIdentityProviders } from '../../../src/composition/start-identity-providers.ts';
import { readConfig } from '../../../src/config/server-config.ts';
import { createPostgresDatabase } from '../../../src/store/testing/describe-stores.ts';
import { type Browser, openBrowser, type Shown } from '../browser.ts';
import type { Person } from '../people.ts';
import { type Answer, startTestServer, type TestServer } from '../start-server.ts';
import { configOf, startIdentityProvider, type TestProvider } from './identity-provider.ts';

const OPERATOR = { kind: 'system', id: 'test', traceId: null } as const;

export interface ProviderStage {
  readonly server: TestServer;
  readonly provider: TestProvider;
  /** Its configuration file. */
  readonly config: string;
  /** Asks the provider about every session now, as so many other processes of the service would in their time. */
  recheck(processes?: number): Promise<void>;
  /** Changes rows behind the server's back: time that has passed. */
  sql(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** A server and the identity provider that it trusts, both real. */
export async function startWithProvider(
  dialect: 'sqlite' | 'postgres',
  {
    settings = '',
    toml = '',
    env = {},
  }: {
    /** Lines of the configuration file in front of its tables. */
    settings?: string;
    toml?: string;
    env?: Readonly<Record<string, string>>;
  } = {},
): Promise<ProviderStage> {
  const database = dialect === 'postgres' ? await createPostgresDatabase() : null;
  let url = '';
  const provider = await startIdentityProvider(() => url);
  const folder = await mkdtemp(join(tmpdir(), 'changgu-provider-'));
  const config = join(folder, 'changgu.toml');
  await writeFile(config, `${settings}${configOf(provider)}${toml}`);
  const server = await startTestServer({
    env: { CONFIG: config, ...(database === null ? {} : { DATABASE_URL: database.url }), ...env },
  });
  ({ url } = server);
  const sql = database === null ? inSqlite(server.dataDir) : inPostgres(database.url);
  const parts = startIdentityProviders(
    await readConfig('dev', { CHANGGU_CONFIG: config }),
    server.core,
    () => url,
  );
  return {
    server,
    provider,
    config,
    sql,
    async recheck(processes = 1) {
      // Not those that a process is asking about, which has claimed them for a minute.
      const claimedUntil = Date.now() + 60_000;
      await sql(
        `update vouched_sessions set next_check_at = 0 where next_check_at > ${claimedUntil}`,
      );
      await Promise.all(Array.from({ length: processes }, () => parts.recheck()));
    },
    async close() {
      await server[Symbol.asyncDispose]();
      await provider.close();
      await rm(folder, { recursive: true });
      await database?.remove();
    },
  };
}

function inSqlite(dataDir: string): ProviderStage['sql'] {
  return async (statement) => {
    const database = new DatabaseSync(join(dataDir, 'changgu.db'), { timeout: 5_000 });
    database.exec(statement);
    database.close();
  };
}

function inPostgres(connectionString: string): ProviderStage['sql'] {
  return async (statement) => {
    const client = new Client({ connectionString });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
}

export function allowDomain(server: TestServer, organizationId: number, domain: string) {
  const allowed = { organizationId, provider: 'acme', domain, actor: OPERATOR };
  return server.core.store.loginDomains.allow(allowed);
}

export async function inviteTo(
  owner: Pick<Person, 'call'>,
  email: string,
  role = 'MEMBER',
): Promise<void> {
  const invited = await owner.call('POST', '/v1/members/invitations', { email, role });
  if (invited.status !== 201) throw new Error(JSON.stringify(invited.body));
}

/** Where the console is, a login has ended well. */
export function newBrowser({ server }: Pick<ProviderStage, 'server'>): Browser {
  return openBrowser(`${server.url}/console`);
}

/** Presses the button of the provider, as the person who sits in front of it. */
export function logInAs(
  { server, provider }: ProviderStage,
  browser: Browser,
  subject: string,
): Promise<Shown> {
  provider.present = subject;
  return browser.open(`${server.url}/v1/auth/providers/acme/start`);
}

const AGREED = [
  ['agree_terms', 'yes'],
  ['agree_privacy', 'yes'],
  ['decision', 'join'],
] as const;

export function agree(browser: Browser, page: Shown): Promise<Shown> {
  return browser.submit(page, AGREED);
}

/** Calls as the page of the console in this browser would. */
export async function callIn(
  { server }: Pick<ProviderStage, 'server'>,
  browser: Browser,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const kept = browser.cookies.get('changgu_session');
  const own = kept === undefined ? {} : { cookie: `changgu_session=${kept.value}` };
  const send = (verb: string, at: string, headers: Record<string, string>, content?: unknown) =>
    fetch(new URL(at, server.url), {
      method: verb,
      headers: { ...own, ...headers },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
  const session = await send('GET', '/v1/auth/session', {});
  const csrf = session.status === 200 ? (await session.json()).csrf_token : '';
  const headers: Record<string, string> = { origin: server.url, 'x-csrf-token': csrf };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const answer = await send(method, path, headers, body);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
}
