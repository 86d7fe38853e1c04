import { afterEach, expect, it } from 'vitest';
import { createDocumentFetch, type DocumentFetch } from '../../src/oauth/client-documents.ts';
import { CALLBACK, newStranger, signIn } from '../support/oauth.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const DOCUMENT = 'https://client.example/oauth.json';
const METADATA = {
  client_id: DOCUMENT,
  client_name: '<b>Agent</b>\n\u202ehost',
  application_type: 'native',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

let server: TestServer;
afterEach(() => server[Symbol.asyncDispose]());

async function ask(documents: DocumentFetch, clientId = DOCUMENT) {
  server = await startTestServer({ env: { OAUTH: 'on' }, oauthDocuments: documents });
  const stranger = await newStranger(server, clientId);
  return stranger.begin({ scope: 'jobs:read' });
}

const answering = (make: () => Response): DocumentFetch => ({
  fetch: async () => make(),
  close: async () => {},
});

it('a client is known by the document that it publishes, and its name is text', async () => {
  const begun = await ask(answering(() => Response.json(METADATA)));
  const page = await signIn(begun, await newPerson(server));
  expect(page.text).toContain(DOCUMENT);
  expect(page.text).toContain('127.0.0.1:9');
  expect(page.text).not.toContain('<b>Agent');
  expect(page.text).not.toContain('\u202e');
});

it.each([
  ['redirects', () => Response.redirect('https://127.0.0.1/oauth.json')],
  ['is six kilobytes', () => Response.json({ ...METADATA, padding: 'x'.repeat(6_000) })],
  ['is about another client', () => Response.json({ ...METADATA, client_id: `${DOCUMENT}#other` })],
  ['brings a secret', () => Response.json({ ...METADATA, client_secret: 'shared' })],
  ['is not JSON', () => new Response('<html>')],
])('a document that %s is refused', async (_, make) => {
  const { page } = await ask(answering(make));
  expect(page.status).toBe(400);
  expect(page.text).toContain('invalid_client');
});

it.each([
  'https://127.0.0.1/oauth.json',
  'https://localhost/oauth.json',
  'https://[::ffff:10.0.0.1]/oauth.json',
  'https://169.254.169.254/latest',
])('%s is never asked', async (clientId) => {
  const { page } = await ask(createDocumentFetch(), clientId);
  expect(page.status).toBe(400);
  expect(page.text).toContain('invalid_client');
});

it('a name that stands for a private address is refused when the connection is made', async () => {
  const documents = createDocumentFetch((_host, _options, callback) => {
    callback(new Error('private'), '');
  });
  const { page } = await ask(documents);
  expect(page.status).toBe(400);
});

const PIECE = Buffer.alloc(8 * 1024, ' ');
const MOST = 64 * 1024;

/** A publisher whose document names this address, at which much more than any answer waits. */
function publisherOf(metadata: object, longAddress: string) {
  let sent = 0;
  const long = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += PIECE.length;
      controller.enqueue(PIECE);
      if (sent > 100 * MOST) controller.close();
    },
  });
  const documents: DocumentFetch = {
    fetch: async (address) =>
      new URL(address instanceof Request ? address.url : address).href === longAddress
        ? new Response(long)
        : Response.json({ ...METADATA, ...metadata }),
    close: async () => {},
  };
  return { documents, sent: () => sent };
}

it('reads no more of a list of redirect addresses than one can have', async () => {
  const address = 'https://client.example/redirects.json';
  const { documents, sent } = publisherOf({ sector_identifier_uri: address }, address);
  const { page } = await ask(documents);
  expect(page.status).toBe(400);
  expect(sent()).toBeGreaterThan(0);
  expect(sent()).toBeLessThanOrEqual(2 * MOST);
});

it("reads no more of a client's keys than it can have, whoever claims to be the client", async () => {
  const address = 'https://client.example/keys.json';
  const { documents, sent } = publisherOf(
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: address },
    address,
  );
  server = await startTestServer({ env: { OAUTH: 'on' }, oauthDocuments: documents });
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: DOCUMENT, sub: DOCUMENT, aud: `${server.url}/oauth`, exp: now + 60 };
  const assertion = [{ alg: 'RS256' }, { ...claims, jti: 'a', iat: now }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const answer = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'none',
      client_id: DOCUMENT,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${assertion}.c2lnbmF0dXJl`,
    }),
  });
  expect(answer.status).toBe(401);
  expect(sent()).toBeGreaterThan(0);
  expect(sent()).toBeLessThanOrEqual(2 * MOST);
});
