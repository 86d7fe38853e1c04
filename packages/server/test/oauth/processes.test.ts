import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { approved, CALLBACK, newStranger, type Stranger, tokensOf } from '../support/oauth.ts';
import { bearer, newPerson, type Person } from '../support/people.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

/** This process and another share a database and nothing else: what one has answered, the other must know. */
describe.each(['sqlite', 'postgres'] as const)('two processes on %s', (dialect) => {
  let database: TestDatabase | null = null;
  let one: TestServer;
  let other: ServerProcess;
  let person: Person;
  let stranger: Stranger;

  beforeAll(async () => {
    database = dialect === 'postgres' ? await createPostgresDatabase() : null;
    const url = database === null ? {} : { DATABASE_URL: database.url };
    one = await startTestServer({ env: { OAUTH: 'on', ...url } });
    other = await startServerProcess(one, {
      CHANGGU_OAUTH: 'on',
      CHANGGU_ROLE: 'api',
      ...(database === null ? {} : { CHANGGU_DATABASE_URL: database.url }),
    });
    person = await newPerson(one);
    stranger = await newStranger(one);
  }, 60_000);
  afterAll(async () => {
    await other.kill();
    await one[Symbol.asyncDispose]();
    await database?.remove();
  });

  async function ask(
    server: Pick<TestServer, 'url'>,
    path: string,
    fields: Record<string, string>,
  ) {
    const body = new URLSearchParams({ client_id: stranger.clientId, ...fields });
    const answer = await fetch(`${server.url}/oauth/${path}`, { method: 'POST', body });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  }

  const statuses = (token: string) =>
    Promise.all(
      [one, other].map(
        async ({ url }) => (await fetch(`${url}/v1/jobs`, { headers: bearer(token) })).status,
      ),
    );

  async function codeFields() {
    const { begun, end } = await approved(stranger, person);
    const code = new URL(end.url).searchParams.get('code') ?? '';
    const code_verifier = begun.verifier;
    return { grant_type: 'authorization_code', code, code_verifier, redirect_uri: CALLBACK };
  }

  it('a code redeemed on one and replayed on the other ends what the first use gave', async () => {
    const fields = await codeFields();
    const first = await ask(one, 'token', fields);
    expect(first.status).toBe(200);
    expect(await statuses(first.body.access_token)).toEqual([200, 200]);
    const replayed = await ask(other, 'token', fields);
    expect(replayed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await statuses(first.body.access_token)).toEqual([401, 401]);
  });

  it('of a code that comes to both at once, one use at most gives tokens', async () => {
    const fields = await codeFields();
    const both = await Promise.all([ask(one, 'token', fields), ask(other, 'token', fields)]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('a refresh token used on one and again on the other ends the family', async () => {
    const { refresh_token = '' } = await tokensOf(stranger, person);
    const fields = { grant_type: 'refresh_token', refresh_token };
    const first = await ask(one, 'token', fields);
    expect(first.status).toBe(200);
    const reused = await ask(other, 'token', fields);
    expect(reused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await statuses(first.body.access_token)).toEqual([401, 401]);
    const family = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token };
    expect((await ask(one, 'token', family)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('of a refresh token that comes to both at once, one use at most gives tokens', async () => {
    const { refresh_token = '' } = await tokensOf(stranger, person);
    const fields = { grant_type: 'refresh_token', refresh_token };
    const both = await Promise.all([ask(one, 'token', fields), ask(other, 'token', fields)]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('what an administrator revokes on one is dead on the other with the next call', async () => {
    const { access_token: token } = await tokensOf(stranger, person);
    const [{ grant_id }] = (await person.call('GET', '/v1/oauth/grants')).body.items;
    await person.call('POST', `/v1/oauth/grants/${grant_id}/revoke`);
    expect(await statuses(token)).toEqual([401, 401]);
  });

  it('a token revoked on one is dead on the other with the next call', async () => {
    const { access_token: token } = await tokensOf(stranger, person);
    expect(await statuses(token)).toEqual([200, 200]);
    expect((await ask(other, 'token/revocation', { token })).status).toBe(200);
    expect(await statuses(token)).toEqual([401, 401]);
  });
});
