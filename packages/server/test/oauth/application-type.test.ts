import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { CALLBACK } from '../support/oauth.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let redirects: readonly string[];
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { OAUTH: 'on', OAUTH_REGISTRATION: 'on' },
    oauthDocuments: {
      fetch: async (address) => {
        const { href } = new URL(address instanceof Request ? address.url : address);
        return Response.json({ client_id: href, redirect_uris: redirects });
      },
      close: async () => {},
    },
  });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

async function register(metadata: { redirect_uris: readonly string[]; application_type?: string }) {
  const answer = await fetch(`${server.url}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Where a browser comes to that a client sends for an approval. */
async function pageOf(clientId: string, redirectUri: string) {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'jobs:read',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const { status, url } = await openBrowser(CALLBACK).open(`${server.url}/oauth/auth?${query}`);
  return { status, isApproval: url.includes('/oauth/interaction') };
}

const APPROVAL = { status: 200, isApproval: true };

describe.each([
  ['http://127.0.0.1:33001/callback', 'http://127.0.0.1:44002/callback'],
  ['http://localhost/callback', 'http://localhost:54545/callback'],
  ['com.example.ledger:/callback', 'com.example.ledger:/callback'],
])('a client that names %s and no application_type', (named, asked) => {
  it(`is sent its answer at ${asked} if it registers itself (D167, RFC 8252)`, async () => {
    const { status, body } = await register({ redirect_uris: [named] });
    expect({ status, type: body.application_type }).toEqual({ status: 201, type: 'native' });
    expect(await pageOf(body.client_id, asked)).toEqual(APPROVAL);
  });

  it(`is sent its answer at ${asked} if it publishes a document (D167, RFC 8252)`, async () => {
    redirects = [named];
    const document = `https://client.example/${encodeURIComponent(named)}`;
    expect(await pageOf(document, asked)).toEqual(APPROVAL);
  });
});

it.each([
  [['https://ledger.example/callback'], 'web'],
  [['https://localhost:4010/callback', 'http://localhost:4010/callback'], 'web'],
  [['https://ledger.example/callback', 'com.example.ledger:/callback'], 'native'],
])('a client that registers itself with %s is taken as %s', async (redirect_uris, type) => {
  const { status, body } = await register({ redirect_uris });
  expect({ status, type: body.application_type }).toEqual({ status: 201, type });
});

it('a client that calls itself a web client has the addresses of one only', async () => {
  const redirect_uris = ['com.example.ledger:/callback'];
  expect((await register({ redirect_uris, application_type: 'web' })).status).toBe(400);
  const named = { redirect_uris: ['http://127.0.0.1:33001/callback'], application_type: 'web' };
  const { body } = await register(named);
  expect(await pageOf(body.client_id, 'http://127.0.0.1:44002/callback')).toMatchObject({
    status: 400,
  });
});
