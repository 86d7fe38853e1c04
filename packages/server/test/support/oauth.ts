import * as openid from 'openid-client';
import { addClient, type ClientOrder } from '../../src/oauth/registered-clients.ts';
import { createPostgresDatabase } from '../../src/store/testing/describe-stores.ts';
import { type Browser, openBrowser, type Shown } from './browser.ts';
import { newPerson, type Person } from './people.ts';
import { startTestServer, type TestServer } from './start-server.ts';

export const CALLBACK = 'http://127.0.0.1:9/callback';
const OPERATOR = { kind: 'system', id: 'test', traceId: null } as const;

/** A client of the authorization server, played by a library that knows nothing of ours. */
export interface Stranger {
  readonly config: openid.Configuration;
  readonly clientId: string;
  /** Begins in a browser; what must be kept for the end comes along. */
  begin(options?: BeginOptions): Promise<Begun>;
  finish(begun: Begun, end: Shown): Promise<Tokens>;
}

export type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

export interface BeginOptions {
  readonly scope?: string;
  readonly resource?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly browser?: Browser;
}

export interface Begun {
  readonly browser: Browser;
  readonly page: Shown;
  readonly verifier: string;
  readonly state: string;
}

export interface OauthServer {
  readonly server: TestServer;
  readonly person: Person;
  readonly stranger: Stranger;
  close(): Promise<void>;
}

/** A server with OAuth on a database of its own, a person, and a client that is registered. */
export async function startOauthServer(dialect: 'sqlite' | 'postgres'): Promise<OauthServer> {
  const database = dialect === 'postgres' ? await createPostgresDatabase() : null;
  const url = database === null ? {} : { DATABASE_URL: database.url };
  const server = await startTestServer({ env: { OAUTH: 'on', ...url } });
  return {
    server,
    person: await newPerson(server),
    stranger: await newStranger(server),
    async close() {
      await server[Symbol.asyncDispose]();
      await database?.remove();
    },
  };
}

export async function registerClient(server: TestServer, order: Partial<ClientOrder> = {}) {
  return addClient(
    server.core,
    {
      name: 'Stranger',
      redirectUris: [CALLBACK],
      isConfidential: false,
      mayIntrospect: false,
      resource: null,
      device: false,
      ...order,
    },
    OPERATOR,
  );
}

export async function newStranger(server: TestServer, clientId?: string): Promise<Stranger> {
  const id = clientId ?? (await registerClient(server)).client_id;
  const config = await openid.discovery(new URL(`${server.url}/oauth`), id, {}, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
  return {
    config,
    clientId: id,
    async begin(options = {}) {
      const verifier = openid.randomPKCECodeVerifier();
      const state = openid.randomState();
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        scope: options.scope ?? 'jobs:read jobs:submit links:read',
        resource: options.resource ?? `${server.url}/v1`,
        ...options.parameters,
      });
      const browser = options.browser ?? openBrowser(CALLBACK);
      return { browser, verifier, state, page: await browser.open(address.href) };
    },
    finish: ({ verifier, state }, { url }) =>
      openid.authorizationCodeGrant(config, new URL(url), {
        pkceCodeVerifier: verifier,
        expectedState: state,
      }),
  };
}

/** Signs in on the page. */
export function signIn({ browser, page }: Begun, who: Pick<Person, 'email' | 'password'>) {
  return browser.submit(page, [
    ['email', who.email],
    ['password', who.password],
    ['decision', 'sign_in'],
  ]);
}

/** What a person leaves chosen who only presses the button. */
export function chosenOn({ text }: Shown): [string, string][] {
  const boxes = [...text.matchAll(/name="(scope|env_scope)" value="([^"]+)" checked/g)];
  const organization = /<option value="(\d+)"/.exec(text)?.[1] ?? '';
  return [
    ...boxes.map(([, name = '', value = '']): [string, string] => [name, value]),
    ['organization_id', organization],
  ];
}

/** The whole way of a person who says yes. */
export async function approved(
  stranger: Stranger,
  who: Pick<Person, 'email' | 'password'>,
  options: BeginOptions & { readonly choose?: readonly (readonly [string, string])[] } = {},
): Promise<{ readonly begun: Begun; readonly end: Shown }> {
  const begun = await stranger.begin(options);
  const page = await signIn(begun, who);
  const fields = [...chosenOn(page), ...(options.choose ?? []), ['decision', 'approve'] as const];
  return { begun, end: await begun.browser.submit(page, fields) };
}

export async function tokensOf(
  stranger: Stranger,
  who: Pick<Person, 'email' | 'password'>,
  options: Parameters<typeof approved>[2] = {},
): Promise<Tokens> {
  const { begun, end } = await approved(stranger, who, options);
  return stranger.finish(begun, end);
}
