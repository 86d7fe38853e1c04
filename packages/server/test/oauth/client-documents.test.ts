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
