import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_SCOPE } from '../../src/crypto/vault.ts';
import { oauthClientPlace } from '../../src/store/schema/sealed-places.ts';
import { openBrowser } from '../support/browser.ts';
import { CALLBACK, newStranger, registerClient, tokensOf } from '../support/oauth.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const DOCUMENT = 'https://client.example/oauth.json';
let redirects: readonly string[];
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { OAUTH: 'on', OAUTH_REGISTRATION: 'on' },
    oauthDocuments: {
      fetch: async () => Response.json({ client_id: DOCUMENT, redirect_uris: redirects }),
      close: async () => {},
    },
  });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

async function register(address: string, type: 'web' | 'native' | undefined) {
  const answer = await fetch(`${server.url}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [CALLBACK, address], application_type: type }),
  });
  return { status: answer.status, body: await answer.json() };
}

function authorize(clientId: string, address: string) {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: address,
    scope: 'jobs:read',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  return openBrowser(CALLBACK).open(`${server.url}/oauth/auth?${query}`);
}

const READABLE = [
  'http://ledger.example/callback',
  'http://localhost.example/callback',
  'http://192.168.0.7/callback',
];
/** Programs open them that send them on, over the network or to a person. */
const NO_SCHEMES_OF_ITS_OWN = [
  'ftp://ledger.example/callback',
  'ws://ledger.example/callback',
  'smb://ledger.example/callback',
  'telnet://ledger.example',
  'mailto:someone@ledger.example',
];
/** The system or the browser acts on them itself. */
const OF_THE_SYSTEM = [
  'search-ms:query=x',
  'search:query=x',
  'ms-settings:x',
  'MS-Word:ofe|u|https://ledger.example/x',
  'chrome://settings',
  'edge://settings',
  'view-source:https://ledger.example',
  'intent://ledger.example#Intent;end',
  'shell:startup',
  'x-apple.systempreferences:x',
  'tel:0212345678',
];

describe('an answer never crosses a network in plain text (D167)', () => {
  it.each(READABLE)('a client that registers itself may not name %s', async (address) => {
    expect(await register(address, undefined)).toEqual({
      status: 400,
      body: {
        error: 'invalid_redirect_uri',
        error_description: expect.stringContaining('must be https addresses, http addresses of'),
      },
    });
  });

  it.each(['ftp://ledger.example/callback', 'search-ms:query=x', 'ms-settings:x'])(
    'not even one on people’s machines may name %s',
    async (address) => expect((await register(address, 'native')).status).toBe(400),
  );

  it('nor in the document that it publishes', async () => {
    redirects = READABLE;
    const page = await authorize(DOCUMENT, READABLE[0] ?? '');
    expect(page.status).toBe(400);
    expect(page.text).toContain('invalid_redirect_uri');
  });

  it.each([
    ...READABLE,
    ...NO_SCHEMES_OF_ITS_OWN,
    ...OF_THE_SYSTEM,
    'http://127.9.9.9/callback',
    'data:text/html,x',
    'file:///tmp/x',
  ])('an operator may not name %s', async (address) => {
    await expect(registerClient(server, { redirectUris: [address] })).rejects.toMatchObject({
      code: 'VALIDATION_INVALID_FIELD',
    });
  });
});

it.each([
  ['http://localhost:4010/callback', 'web'],
  ['http://[::1]:4010/callback', 'native'],
  ['https://ledger.example/callback', 'web'],
  ['com.example.ledger:/callback', 'native'],
] as const)('takes %s of a %s client (D167)', async (address, type) => {
  expect((await register(address, type)).status).toBe(201);
});

it.each(['http://127.0.0.1/callback', 'ledger:/callback'])(
  'https on loopback is refused beside %s, as the library would refuse both at each use',
  async (address) => {
    const redirectUris = ['https://localhost:4010/callback', address];
    await expect(registerClient(server, { redirectUris })).rejects.toMatchObject({
      code: 'VALIDATION_INVALID_FIELD',
    });
  },
);

it('an operator names a resource on loopback as a redirect URI (D167)', async () => {
  const at = (resource: string) => registerClient(server, { mayIntrospect: true, resource });
  await expect(at('http://127.9.9.9/mcp')).rejects.toMatchObject({
    code: 'VALIDATION_INVALID_FIELD',
  });
  expect((await at('http://[::1]:4011/mcp')).client_id).toBeTruthy();
});

it.each([
  'https://localhost:4010/callback',
  'http://127.0.0.1/callback',
  'editor://agent/callback',
])('a client of an operator is sent its answers at %s', async (address) => {
  const { client_id } = await registerClient(server, { redirectUris: [address] });
  const page = await authorize(client_id, address);
  expect([page.status, page.url]).toEqual([200, expect.stringContaining('/oauth/interaction')]);
});

it('the token of a client whose stored address is refused by now is inactive (RFC 7662)', async () => {
  const stranger = await newStranger(server);
  const { access_token } = await tokensOf(stranger, await newPerson(server));
  const resource = { redirectUris: [], isConfidential: true, mayIntrospect: true };
  const { client_id, client_secret } = await registerClient(server, resource);
  const introspected = async () => {
    const answer = await fetch(`${server.url}/oauth/token/introspection`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
      body: new URLSearchParams({ token: access_token }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await introspected()).toMatchObject({ status: 200, body: { active: true } });
  await storeUnsafe(stranger.clientId);
  expect(await introspected()).toEqual({ status: 200, body: { active: false } });
});

/** As a version stored it that took every address. */
async function storeUnsafe(client_id: string): Promise<void> {
  const metadata = { client_id, redirect_uris: READABLE, token_endpoint_auth_method: 'none' };
  const bytes = Buffer.from(JSON.stringify(metadata));
  const sealed = await server.core.vault.seal(SYSTEM_SCOPE, oauthClientPlace(client_id), bytes);
  using db = new DatabaseSync(join(server.dataDir, 'changgu.db'), { timeout: 5_000 });
  db.prepare('update oauth_clients set metadata = ? where client_id = ?').run(sealed, client_id);
}
