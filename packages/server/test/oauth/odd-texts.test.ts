import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { openBrowser, type Shown } from '../support/browser.ts';
import { CALLBACK, newStranger, registerClient, signIn } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

describe.each(['sqlite', 'postgres'] as const)('texts that no database holds (%s)', (dialect) => {
  let database: TestDatabase | null;
  let server: TestServer;
  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : null;
    const url = database === null ? {} : { DATABASE_URL: database.url };
    server = await startTestServer({ env: { OAUTH: 'on', OAUTH_REGISTRATION: 'on', ...url } });
  }, 60_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await database?.remove();
  });

  it.each([
    ['token', { grant_type: 'client_credentials' }],
    ['token/introspection', { token: 't' }],
    ['token/revocation', { token: 't' }],
    ['device/auth', { scope: 'jobs:read' }],
  ])('are in the id of no client: POST /oauth/%s', async (path, fields) => {
    const answer = await post(server, path, { ...fields, client_id: 'a\u0000b' });
    expect([answer.status, (await answer.json()).error]).toEqual([401, 'invalid_client']);
  });

  it.each(['a%00b', 'https%3A%2F%2Fclient.example%2F%00'])(
    'are in the id of no client: GET /oauth/auth?client_id=%s',
    async (id) => {
      const { status } = await fetch(`${server.url}/oauth/auth?client_id=${id}&response_type=code`);
      expect(status).toBe(400);
    },
  );

  it('are in no form', async () => {
    const stranger = await newStranger(server);
    const { status } = await signIn(await stranger.begin(), { email: 'a\u0000b', password: 'x' });
    expect(status).toBe(422);
  });

  it('are in no name by which an operator knows a client', async () => {
    const answer = await fetch(`${server.url}/oauth/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [CALLBACK], client_name: 'a\u0000b' }),
    });
    expect(answer.status).toBe(201);
    const clients = await server.core.store.oauthClients.list();
    expect(clients.map(({ name }) => name)).toContain('a b');
  });
});

it('a device code that is sent after its page expired is asked for again, and then taken', async () => {
  const server = await startTestServer({ env: { OAUTH: 'on' } });
  const { client_id } = await registerClient(server, { redirectUris: [], device: true });
  const device = await post(server, 'device/auth', { client_id, scope: 'jobs:read' });
  const { user_code } = await device.json();
  const browser = openBrowser(CALLBACK);
  const open = await browser.open(`${server.url}/oauth/device`);
  browser.cookies.clear();
  const again = await browser.submit(open, fieldsOf(open, user_code));
  expect([again.status, again.text]).toEqual([
    400,
    expect.stringContaining('Enter the code again'),
  ]);
  const confirm = await browser.submit(again, fieldsOf(again, user_code));
  expect([confirm.status, confirm.text]).toEqual([200, expect.stringContaining(user_code)]);
  browser.cookies.clear();
  const resumed = await browser.open(`${server.url}/oauth/device/nothing`);
  expect([resumed.status, resumed.text]).toEqual([
    400,
    expect.stringContaining('Enter the code again'),
  ]);
  await server[Symbol.asyncDispose]();
});

const post = (server: TestServer, path: string, fields: Record<string, string>) =>
  fetch(`${server.url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(fields) });

function fieldsOf({ text }: Shown, code: string): [string, string][] {
  const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(text) ?? [];
  return [
    ['xsrf', xsrf],
    ['user_code', code],
  ];
}
