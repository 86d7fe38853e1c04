import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentHost } from '../support/agent-host.ts';
import { CALLBACK, newStranger, tokensOf } from '../support/oauth.ts';
import { bearer } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const ISSUE = 'tax_portal__c1__business_registration';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    links: true,
    env: { OAUTH: 'on', OAUTH_REGISTRATION: 'on' },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

it('the official client adds /mcp by its address alone, and calls a tool', async () => {
  const { provider, kept } = agentHost(server.console);
  const address = new URL('/mcp', server.url);
  const first = new StreamableHTTPClientTransport(address, { authProvider: provider });
  const unauthorized = new Client({ name: 'host', version: '1' }).connect(first);
  await expect(unauthorized).rejects.toBeInstanceOf(UnauthorizedError);
  await first.finishAuth(kept.answer);
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: provider }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain(ISSUE);
  const accounts = await client.callTool({ name: 'changgu__accounts__list', arguments: {} });
  expect(accounts.isError).not.toBe(true);
  const list = await client.callTool({ name: 'bank_b__accounts__list', arguments: {} });
  expect(list.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  await client.close();
});

it('says where a token comes from, and what a wider one needs (RFC 9728)', async () => {
  const call = (token: string | null, name: string, resource = '/mcp') =>
    fetch(`${server.url}${resource}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === null ? {} : bearer(token)) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }),
    });
  const unknown = await call(null, ISSUE);
  expect(unknown.status).toBe(401);
  const challenge = unknown.headers.get('www-authenticate') ?? '';
  expect(challenge).toContain('scope="jobs:read jobs:submit links:read"');
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
  expect(metadata).toBe(`${server.url}/.well-known/oauth-protected-resource/mcp`);
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: `${server.url}/mcp`,
    authorization_servers: [`${server.url}/oauth`],
  });
  const stranger = await newStranger(server);
  const { access_token } = await tokensOf(stranger, server.console, {
    scope: 'jobs:read',
    resource: `${server.url}/mcp`,
  });
  for (const [name, scope] of [
    [ISSUE, 'jobs:read jobs:submit jobs:irreversible'],
    ['bank_b__accounts__list', 'jobs:read jobs:submit'],
    ['changgu__accounts__list', 'jobs:read links:read'],
  ] as const) {
    const refused = await call(access_token, name);
    expect(refused.status, name).toBe(403);
    const stepUp = refused.headers.get('www-authenticate');
    expect(stepUp).toContain('error="insufficient_scope"');
    expect(stepUp).toContain(`scope="${scope}"`);
  }
});

it('needs no environment where the token names one, and none other than those', async () => {
  const stranger = await newStranger(server);
  const { access_token } = await tokensOf(stranger, server.console);
  const headers = { ...bearer(access_token), 'content-type': 'application/json' };
  const submit = (more: Record<string, string>, action = 'bank_a.accounts.list') =>
    fetch(`${server.url}/v1/jobs`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': crypto.randomUUID(), ...more },
      body: JSON.stringify({ provider: action.split('.')[0], action }),
    });
  expect((await submit({})).status).toBe(202);
  expect((await submit({ 'x-env-scope': 'real_test' })).status).toBe(403);
  const irreversible = await submit({}, 'tax_portal.c1.business_registration');
  expect(irreversible.status).toBe(403);
  expect(irreversible.headers.get('www-authenticate')).toContain('jobs:irreversible');
  const both = await tokensOf(stranger, server.console, { choose: [['env_scope', 'real_test']] });
  expect((await submit({ ...bearer(both.access_token) })).status).toBe(400);
});

it('is found wherever clients look, and serves the public part of its keys', async () => {
  const read = async (path: string) => (await fetch(new URL(path, server.url))).json();
  const places = [
    '/.well-known/oauth-authorization-server/oauth',
    '/.well-known/openid-configuration/oauth',
    '/oauth/.well-known/openid-configuration',
    '/oauth/.well-known/oauth-authorization-server',
  ];
  const [first, ...others] = await Promise.all(places.map(read));
  expect(first).toMatchObject({
    issuer: `${server.url}/oauth`,
    token_endpoint: `${server.url}/oauth/token`,
    client_id_metadata_document_supported: true,
  });
  for (const other of others) expect(other).toEqual(first);
  const { keys } = await read('/oauth/jwks');
  expect(keys).toEqual([expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', use: 'sig' })]);
  expect(keys[0]).not.toHaveProperty('d');
});

it('lets one address register ten clients an hour, however the endpoint is spelled (D167)', async () => {
  const register = async (endpoint = 'reg') => {
    const answer = await fetch(`${server.url}/oauth/${endpoint}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [CALLBACK], application_type: 'native' }),
    });
    return answer.status;
  };
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 11) statuses.push(await register());
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.slice(0, -1).every((status) => status === 201)).toBe(true);
  for (const spelling of ['REG', 'reg/', 'Reg/?a=b']) expect(await register(spelling)).toBe(429);
});
