import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerWith, logIn, newPerson, type Person } from '../support/people.ts';
import { runBeside } from '../support/run-command.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let owner: Person;
let key: { client_id: string; client_secret: string };

beforeAll(async () => {
  server = await startTestServer();
  owner = await newPerson(server);
  key = (await owner.call('POST', '/v1/app-credentials', { label: 'books' })).body;
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

async function admin(verb: 'disable' | 'enable', kind: string, id: string) {
  return JSON.parse(await runBeside(server, 'admin', verb, kind, id));
}

async function byKey(): Promise<number> {
  const authorization = `Basic ${btoa(`${key.client_id}:${key.client_secret}`)}`;
  return (await server.call('GET', '/v1/jobs', { headers: { authorization } })).status;
}

async function byToken(token: string): Promise<number> {
  return (await callerWith(server, token)('GET', '/v1/membership/me')).status;
}

async function byPassword(): Promise<number> {
  const { email, password } = owner;
  return (await server.call('POST', '/v1/auth/login', { body: { email, password } })).status;
}

async function acts(): Promise<string[]> {
  const token = await logIn(server, owner.email, owner.password);
  const { body } = await callerWith(server, token)('GET', '/v1/audit?limit=50');
  const items: { act: string; actor_kind: string; actor_id: string }[] = body.items;
  return items
    .filter(({ actor_kind, actor_id }) => actor_kind === 'system' && actor_id === 'command')
    .map(({ act }) => act);
}

describe('changgu-server admin disable and enable', { timeout: 60_000 }, () => {
  it('stop a key with the next request, and let it in again', async () => {
    expect(await byKey()).toBe(200);
    const { client_id: id } = key;
    expect(await admin('disable', 'key', id)).toEqual({ key: id, disabled: true });
    expect(await byKey()).toBe(401);
    expect(await byToken(owner.token)).toBe(200);
    expect(await admin('enable', 'key', id)).toEqual({ key: id, disabled: false });
    expect(await byKey()).toBe(200);
  });

  it('stop an x-api-key', async () => {
    const org = String(server.organizationId);
    const issue = ['api-key', 'issue', '--env', 'sandbox', '--org', org];
    const issued = JSON.parse(await runBeside(server, ...issue));
    const call = async () =>
      (
        await fetch(new URL('/v1/membership/me', server.url), {
          headers: { 'x-api-key': issued.api_key },
        })
      ).status;
    expect(await call()).toBe(200);
    await admin('disable', 'key', issued.key_id);
    expect(await call()).toBe(401);
  });

  it('stop all of an organization: its keys, its tokens and its logins', async () => {
    const id = String(owner.organizationId);
    await admin('disable', 'organization', id);
    expect([await byKey(), await byToken(owner.token), await byPassword()]).toEqual([
      401, 401, 401,
    ]);
    await admin('enable', 'organization', id);
    expect([await byKey(), await byToken(owner.token), await byPassword()]).toEqual([
      200, 200, 200,
    ]);
  });

  it('stop a person, whose sessions stay ended afterwards, and no one else', async () => {
    const before = await logIn(server, owner.email, owner.password);
    await admin('disable', 'user', ` ${owner.email.toUpperCase()} `);
    expect([await byKey(), await byToken(before), await byPassword()]).toEqual([200, 401, 401]);
    await admin('enable', 'user', owner.email);
    expect([await byToken(before), await byPassword()]).toEqual([401, 200]);
  });

  it('are in the audit log of the organization, as acts of the command line', async () => {
    const order = ['user.enable', 'user.disable', 'organization.enable', 'organization.disable'];
    expect(await acts()).toEqual([...order, 'key.enable', 'key.disable']);
  });

  it('say in one line that there is nothing of that name', async () => {
    await expect(admin('disable', 'organization', 'books')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^changgu-server: .*\n$/),
    });
  });
});
