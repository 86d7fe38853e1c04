import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chosenOn,
  type OauthServer,
  registerClient,
  type Stranger,
  signIn,
  startOauthServer,
  tokensOf,
} from '../support/oauth.ts';
import { bearer, type Person } from '../support/people.ts';
import type { TestServer } from '../support/start-server.ts';

describe.each(['sqlite', 'postgres'] as const)('a stranger on %s', (dialect) => {
  let started: OauthServer;
  let server: TestServer;
  let person: Person;
  let stranger: Stranger;

  beforeAll(async () => {
    started = await startOauthServer(dialect);
    ({ server, person, stranger } = started);
  }, 60_000);
  afterAll(() => started.close());

  const call = (token: string, path: string, headers: Record<string, string> = {}) =>
    server.call('GET', path, { headers: { ...bearer(token), 'x-env-scope': '', ...headers } });

  it('signs in, approves, gets tokens, and calls with them (D167)', async () => {
    const begun = await stranger.begin({ scope: 'jobs:read jobs:irreversible' });
    expect(begun.page.text).toContain('Sign in');
    const page = await signIn(begun, person);
    expect(page.text).toContain('Stranger');
    expect(page.text).toContain('127.0.0.1:9');
    expect(chosenOn(page)).toEqual([
      ['scope', 'jobs:read'],
      ['env_scope', 'sandbox'],
      ['organization_id', String(person.organizationId)],
    ]);
    const end = await begun.browser.submit(page, [...chosenOn(page), ['decision', 'approve']]);
    expect(new URL(end.url).searchParams.get('iss')).toBe(`${server.url}/oauth`);
    const tokens = await stranger.finish(begun, end);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: 'jobs:read' });
    for (const path of ['/v1/jobs', '/v1/billing/plans']) {
      const headers = bearer(tokens.access_token);
      expect((await fetch(`${server.url}${path}`, { headers })).status, path).toBe(200);
    }
  });

  it.each(['openid', 'profile email'])(
    'asks for the usual scopes when it names only %s',
    async (scope) => {
      const begun = await stranger.begin({ scope });
      const chosen = chosenOn(await signIn(begun, person)).filter(([name]) => name === 'scope');
      expect(chosen.map(([, value]) => value)).toEqual(['jobs:read', 'jobs:submit', 'links:read']);
    },
  );

  it('refreshes, and a refresh token used twice ends them all', async () => {
    const first = await tokensOf(stranger, person);
    const second = await openid.refreshTokenGrant(stranger.config, first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await call(second.access_token, '/v1/credentials')).status).toBe(200);
    await expect(
      openid.refreshTokenGrant(stranger.config, first.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await call(second.access_token, '/v1/credentials')).status).toBe(401);
    await expect(
      openid.refreshTokenGrant(stranger.config, second.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('leaves in the audit log where its refresh token was used (D86)', async () => {
    const { refresh_token = '' } = await tokensOf(stranger, person);
    const fields = { grant_type: 'refresh_token', refresh_token, client_id: stranger.clientId };
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'user-agent': 'agent/1.0' },
    });
    expect(answer.status).toBe(200);
    const origin = { address: '127.0.0.1', user_agent: 'agent/1.0' };
    // The token is answered first.
    await vi.waitFor(async () => {
      const { body } = await person.call('GET', '/v1/audit?act=oauth_grant.refresh');
      expect(body.items[0]).toMatchObject({ actor_kind: 'client', ...origin });
    });
  });

  it('is listed, revoked by its client, and by the organization at once', async () => {
    const tokens = await tokensOf(stranger, person);
    await call(tokens.access_token, '/v1/credentials');
    const [grant] = (await person.call('GET', '/v1/oauth/grants')).body.items;
    expect(grant).toMatchObject({
      client_id: stranger.clientId,
      client_name: 'Stranger',
      redirect_host: '127.0.0.1:9',
      approved_by: person.userId,
      status: 'ACTIVE',
    });
    await openid.tokenRevocation(stranger.config, tokens.refresh_token ?? '');
    expect((await call(tokens.access_token, '/v1/credentials')).status).toBe(401);
    const others = await tokensOf(stranger, person);
    const [newest] = (await person.call('GET', '/v1/oauth/grants')).body.items;
    const revoked = await person.call('POST', `/v1/oauth/grants/${newest.grant_id}/revoke`);
    expect(revoked.body.status).toBe('REVOKED');
    expect((await call(others.access_token, '/v1/credentials')).status).toBe(401);
  });

  it('tells a resource server of an operator about tokens, and no one else', async () => {
    const tokens = await tokensOf(stranger, person);
    const { client_id, client_secret } = await registerClient(server, {
      redirectUris: [],
      mayIntrospect: true,
    });
    const resourceServer = await openid.discovery(
      new URL(`${server.url}/oauth`),
      client_id,
      {},
      openid.ClientSecretBasic(client_secret ?? ''),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    expect(await openid.tokenIntrospection(resourceServer, tokens.access_token)).toMatchObject({
      active: true,
      client_id: stranger.clientId,
      aud: `${server.url}/v1`,
      sub: String(person.userId),
    });
    expect(await openid.tokenIntrospection(stranger.config, tokens.access_token)).toEqual({
      active: false,
    });
  });
});
