import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import {
  approved,
  CALLBACK,
  chosenOn,
  newStranger,
  type OauthServer,
  registerClient,
  type Stranger,
  signIn,
  startOauthServer,
  tokensOf,
} from '../support/oauth.ts';
import { bearer, newMember, newPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/start-server.ts';

describe.each(['sqlite', 'postgres'] as const)('attacks on %s', (dialect) => {
  let started: OauthServer;
  let server: TestServer;
  let person: Person;
  let stranger: Stranger;

  beforeAll(async () => {
    started = await startOauthServer(dialect);
    ({ server, person, stranger } = started);
  }, 60_000);
  afterAll(() => started.close());

  const statusWith = async (token: string, path = '/v1/jobs') =>
    (await fetch(`${server.url}${path}`, { headers: bearer(token) })).status;

  /** What the token endpoint says, asked without a library that would refuse to ask. */
  async function exchange(fields: Record<string, string>) {
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    return { status: answer.status, body: await answer.json() };
  }

  function authorize(parameters: Record<string, string>) {
    const query = new URLSearchParams({
      client_id: stranger.clientId,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'jobs:read',
      ...parameters,
    });
    return openBrowser(CALLBACK).open(`${server.url}/oauth/auth?${query}`);
  }

  const PKCE = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };
  const errorOf = (address: string) => new URL(address).searchParams.get('error');

  describe('codes', () => {
    it('a stolen code is useless without its verifier, nor to another client', async () => {
      const { begun, end } = await approved(stranger, person);
      const code = new URL(end.url).searchParams.get('code') ?? '';
      const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
      const injected = await exchange({
        ...fields,
        client_id: stranger.clientId,
        code_verifier: openid.randomPKCECodeVerifier(),
      });
      expect(injected).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      const { client_id } = await registerClient(server);
      const stolen = await exchange({ ...fields, client_id, code_verifier: begun.verifier });
      expect(stolen).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    });

    it('a code used twice ends what the first use gave', async () => {
      const { begun, end } = await approved(stranger, person);
      const tokens = await stranger.finish(begun, end);
      expect(await statusWith(tokens.access_token)).toBe(200);
      await expect(stranger.finish(begun, end)).rejects.toMatchObject({ error: 'invalid_grant' });
      expect(await statusWith(tokens.access_token)).toBe(401);
    });

    it('an answer says whose it is, so that a client cannot be confused with another server', async () => {
      const { end } = await approved(stranger, person);
      const answer = new URL(end.url);
      expect(answer.searchParams.get('iss')).toBe(`${server.url}/oauth`);
      answer.searchParams.set('iss', 'https://attacker.example');
      await expect(
        openid.authorizationCodeGrant(stranger.config, answer, {
          expectedState: openid.skipStateCheck,
        }),
      ).rejects.toThrow();
    });
  });

  describe('requests', () => {
    it.each([
      ['another host', 'https://attacker.example/callback'],
      ['a path below', `${CALLBACK}/deeper`],
      ['a query', `${CALLBACK}?next=https://attacker.example`],
      ['another user', 'http://127.0.0.1:9@attacker.example/callback'],
    ])('never go to %s', async (_, redirect_uri) => {
      const page = await authorize({ ...PKCE, redirect_uri });
      expect(page.status).toBe(400);
      expect(page.url).toContain(server.url);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    });

    it.each([
      ['no challenge', {}],
      ['a plain challenge', { ...PKCE, code_challenge_method: 'plain' }],
      ['a challenge without a method', { code_challenge: PKCE.code_challenge }],
    ])('with %s are refused', async (_, parameters: Record<string, string>) => {
      expect(errorOf((await authorize(parameters)).url)).toBe('invalid_request');
    });

    it.each([
      [
        'the token itself',
        { ...PKCE, response_type: 'token' },
        /unsupported_response_type|invalid_request/,
      ],
      [
        'a resource elsewhere',
        { ...PKCE, resource: 'https://attacker.example/v1' },
        /invalid_target/,
      ],
      [
        'an answer without a person',
        { ...PKCE, prompt: 'none' },
        /consent_required|interaction_required/,
      ],
    ])('for %s are refused', async (_, parameters: Record<string, string>, error) => {
      const { url, text } = await authorize(parameters);
      expect(errorOf(url.replace('#', '?')) ?? text).toMatch(error);
    });

    it('build no address out of a forged Host', async () => {
      const answer = await fetch(`${server.url}/.well-known/oauth-authorization-server/oauth`, {
        headers: { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'https' },
      });
      const metadata = await answer.json();
      expect(JSON.stringify(metadata)).not.toContain('attacker.example');
      expect(metadata).toMatchObject({
        issuer: `${server.url}/oauth`,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    });

    it('do not register where registration is off', async () => {
      const answer = await fetch(`${server.url}/oauth/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }),
      });
      expect(answer.status).toBe(404);
    });
  });

  describe('the page', () => {
    it('is for the browser in which the client began', async () => {
      const begun = await stranger.begin();
      const other = openBrowser(CALLBACK);
      const foreign = await other.open(begun.page.url);
      expect(foreign).toMatchObject({ status: 404, text: expect.stringContaining('has ended') });
      const uid = new URL(begun.page.url).pathname.split('/').at(-1);
      const call = await person.call('POST', `/v1/oauth/interactions/${uid}/approve`, {
        organization_id: person.organizationId,
        scopes: ['jobs:read'],
        env_scopes: ['sandbox'],
      });
      expect(call).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } });
    });

    it('can be answered with the organization alone, and then nothing irreversible is granted (D167)', async () => {
      const begun = await stranger.begin({ scope: 'jobs:read links:read jobs:irreversible' });
      const uid = new URL(begun.page.url).pathname.split('/').at(-1);
      const cookies = [...begun.browser.cookies].map(([name, { value }]) => `${name}=${value}`);
      const headers = { ...bearer(person.token), cookie: cookies.join('; ') };
      const approve = (organization_id: number) =>
        server.call('POST', `/v1/oauth/interactions/${uid}/approve`, {
          headers,
          body: { organization_id },
        });
      expect((await approve(0)).status).toBe(422);
      expect((await approve(person.organizationId)).status).toBe(200);
      const [grant] = (await person.call('GET', '/v1/oauth/grants')).body.items;
      expect(grant).toMatchObject({
        scopes: ['jobs:read', 'links:read'],
        allowed_env_scopes: ['sandbox'],
        allowed_actions: null,
      });
    });

    it('takes no approval that another site made the browser send', async () => {
      const begun = await stranger.begin();
      const page = await signIn(begun, person);
      const fields = [...chosenOn(page), ['decision', 'approve']] as const;
      const forged = await begun.browser.submit(page, [...fields, ['csrf', 'guessed']]);
      expect(forged).toMatchObject({
        status: 403,
        text: expect.stringContaining('AUTH_CSRF_REFUSED'),
      });
      const cookie = [...begun.browser.cookies].map(([name, { value }]) => `${name}=${value}`);
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
      const elsewhere = await fetch(page.url, {
        method: 'POST',
        headers: { cookie: cookie.join('; '), origin: 'https://attacker.example' },
        body: new URLSearchParams([
          ...fields.map(([name, value]) => [name, value]),
          ['csrf', csrf],
        ]),
      });
      expect(elsewhere.status).toBe(403);
    });

    it('may not be framed, runs no script, and asks for what cannot be undone apart', async () => {
      const begun = await stranger.begin({ scope: 'jobs:read jobs:submit jobs:irreversible' });
      const page = await signIn(begun, person);
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('script-src');
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.text).not.toContain('<script');
      expect(page.text).toMatch(/name="scope" value="jobs:irreversible">/);
      expect(chosenOn(page).map(([, value]) => value)).not.toContain('jobs:irreversible');
    });

    it('gives no more than was asked for, and only in one’s own organization', async () => {
      const other = await newPerson(server);
      for (const [name, value, status] of [
        ['scope', 'jobs:irreversible', 400],
        ['organization_id', String(other.organizationId), 404],
        ['env_scope', 'production', 402],
      ] as const) {
        const begun = await stranger.begin({ scope: 'jobs:read' });
        const page = await signIn(begun, person);
        const kept = chosenOn(page).filter(([each]) => each !== name || name === 'scope');
        const end = await begun.browser.submit(page, [
          ...kept,
          [name, value],
          ['decision', 'approve'],
        ]);
        expect(end.status, name).toBe(status);
      }
    });

    it('is not for members, who may issue no keys', async () => {
      const member = await newMember(server, person, 'MEMBER');
      const begun = await stranger.begin();
      const page = await signIn(begun, member);
      expect(page.text).toContain('Only administrators');
      const fields = [['organization_id', String(person.organizationId)]] as const;
      const chosen = [
        ['scope', 'jobs:read'],
        ['env_scope', 'sandbox'],
        ['decision', 'approve'],
      ] as const;
      expect((await begun.browser.submit(page, [...fields, ...chosen])).status).toBe(403);
    });

    it('is over once it is decided', async () => {
      const begun = await stranger.begin();
      const page = await signIn(begun, person);
      const end = await begun.browser.submit(page, [['decision', 'deny']]);
      expect(errorOf(end.url)).toBe('access_denied');
      const again = await begun.browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
      expect(again).toMatchObject({ status: 404, text: expect.stringContaining('has ended') });
    });
  });

  describe('tokens', () => {
    it('are good at the resource that they were issued for, and nowhere else', async () => {
      const { access_token } = await tokensOf(stranger, person, { resource: `${server.url}/mcp` });
      expect(await statusWith(access_token)).toBe(401);
      const { access_token: forApi } = await tokensOf(stranger, person);
      // The second address is the first, spelled otherwise.
      for (const path of ['/mcp', '/%6dcp']) {
        const list = (token: string) =>
          fetch(`${server.url}${path}`, {
            method: 'POST',
            headers: { ...bearer(token), 'content-type': 'application/json' },
            body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
          });
        const refused = await list(forApi);
        expect([path, refused.status]).toEqual([path, 401]);
        expect(refused.headers.get('www-authenticate')).toContain('/oauth-protected-resource/mcp"');
        expect([path, (await list(access_token)).status]).toEqual([path, 200]);
      }
    });

    it('of a person who leaves die at once, the refresh token too', async () => {
      const leaver = await newMember(server, person, 'ADMIN');
      const tokens = await tokensOf(stranger, leaver);
      expect(await statusWith(tokens.access_token)).toBe(200);
      await person.call('PATCH', `/v1/members/${leaver.userId}`, { role: 'MEMBER' });
      expect(await statusWith(tokens.access_token)).toBe(401);
      await expect(
        openid.refreshTokenGrant(stranger.config, tokens.refresh_token ?? ''),
      ).rejects.toMatchObject({ error: 'invalid_grant' });
    });

    it('of a client that is removed die at once', async () => {
      const doomed = await newStranger(server);
      const tokens = await tokensOf(doomed, person);
      await server.core.store.oauthClients.remove({
        clientId: doomed.clientId,
        actor: { kind: 'system', id: 'test', traceId: null },
      });
      expect(await statusWith(tokens.access_token)).toBe(401);
    });

    it('open nothing that has no scope, and leave their trail in the audit log', async () => {
      const { access_token } = await tokensOf(stranger, person);
      expect(await statusWith(access_token, '/v1/app-credentials')).toBe(403);
      expect(await statusWith(access_token, '/v1/oauth/grants')).toBe(403);
      const { body } = await person.call('GET', '/v1/audit?limit=100');
      const acts = body.items.map(({ act }: { act: string }) => act);
      for (const act of ['approve', 'deny', 'revoke']) expect(acts).toContain(`oauth_grant.${act}`);
    });
  });
});
