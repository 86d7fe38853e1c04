import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REGISTRATION, type Registration } from '@changgu/contract';
import { describe, expect, it } from 'vitest';
import {
  allowDomain,
  inviteTo,
  logInAs,
  newBrowser,
  startWithProvider,
} from '../support/outside-login/provider-login.ts';
import { bearer, callerWith, logIn, newPerson, tokenIn } from '../support/people.ts';
import { type Answer, startTestServer } from '../support/start-server.ts';

const CLOSED = '403 REGISTRATION_CLOSED';
const AGREED = { agree_terms: true, agree_privacy: true };
const NEWCOMER = { name: '새 사람', password: 'a fresh passphrase 7', ...AGREED };

const told = ({ status, body }: Answer) => (body.error ? `${status} ${body.error.code}` : status);

/** A server that takes registrations as given, on the database of an open one with one account in it. */
async function startWith(registration: Registration) {
  const open = await startTestServer();
  const settled = await newPerson(open);
  const folder = await mkdtemp(join(tmpdir(), 'changgu-registration-'));
  const file = join(folder, 'changgu.toml');
  await writeFile(file, `registration = "${registration}"\n`);
  const server = await startTestServer({ dataDir: open.dataDir, env: { CONFIG: file } });
  const owner = callerWith(
    server,
    await logIn(server, server.console.email, server.console.password),
  );
  return {
    settled,
    tells: async () => (await server.call('GET', '/v1/auth/providers')).body.registration,
    register: () =>
      server.call('POST', '/v1/auth/register', {
        body: { ...NEWCOMER, email: 'stranger@example.com' },
      }),
    async acceptAs(email: string, body: object) {
      const invited = await owner('POST', '/v1/members/invitations', { email, role: 'MEMBER' });
      const token = tokenIn(invited.body.link);
      return server.call('POST', '/v1/auth/invitations/accept', { body: { token, ...body } });
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await open[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const OPENS = {
  open: { stranger: 201, invited: 200 },
  invite: { stranger: CLOSED, invited: 200 },
  off: { stranger: CLOSED, invited: CLOSED },
} as const;

describe.each(REGISTRATION)('registration = "%s"', (registration) => {
  const opens = OPENS[registration];

  it(`is told, and answers ${opens.stranger} to a stranger and ${opens.invited} to who is invited`, async () => {
    await using stage = await startWith(registration);
    expect(await stage.tells()).toBe(registration);
    expect(told(await stage.register())).toBe(opens.stranger);
    expect(told(await stage.acceptAs('invited@example.com', NEWCOMER))).toBe(opens.invited);
  });

  it('lets an account that exists accept an invitation', async () => {
    await using stage = await startWith(registration);
    const { email, password, userId } = stage.settled;
    const joined = await stage.acceptAs(email, { password });
    expect(joined.status).toBe(200);
    expect(joined.body).toMatchObject({ user_id: userId, role: 'MEMBER' });
  });
});

it('takes no name in which nothing can be seen, of a person or of an organization (D88)', async () => {
  await using server = await startTestServer();
  const register = async (names: object) => {
    const body = { ...NEWCOMER, email: 'spaces@example.com', ...names };
    const { body: answer } = await server.call('POST', '/v1/auth/register', { body });
    return answer.error?.fields;
  };
  const msg = 'A visible character is needed, and control characters are not allowed';
  const type = 'string_pattern_mismatch';
  for (const blank of [' ', '   ', '\u3000', '\u3164', '\u200b \u2800']) {
    const at = (name: string) => [{ loc: ['body', name], msg, type }];
    expect(await register({ name: blank })).toMatchObject(at('name'));
    expect(await register({ company_name: blank })).toMatchObject(at('company_name'));
    const invited = { token: 'x'.repeat(43), password: 'p', name: blank };
    const { body } = await server.call('POST', '/v1/auth/invitations/accept', { body: invited });
    expect(body.error.fields).toMatchObject(at('name'));
  }
  expect(await register({ name: ' \u200f김 ', company_name: '가 나\u3164' })).toBeUndefined();
});

describe('a new account at an identity provider', () => {
  const EMAIL = 'kim@acme.example';

  it.each([
    ['off', 403],
    ['invite', 200],
  ] as const)(
    'with registration = "%s", an invited person is answered %i',
    async (mode, status) => {
      const stage = await startWithProvider('sqlite', { settings: `registration = "${mode}"\n` });
      try {
        const { server, provider } = stage;
        const token = await logIn(server, server.console.email, server.console.password);
        await allowDomain(server, server.organizationId, 'acme.example');
        await inviteTo({ call: callerWith(server, token) }, EMAIL);
        provider.people.set('u-1', { email: EMAIL, name: '김로그인' });
        const page = await logInAs(stage, newBrowser(stage), 'u-1');
        expect(page.status, page.text).toBe(status);
        const { body } = await server.call('GET', '/v1/admin/audit?act=identity.refuse', {
          headers: bearer(server.adminToken),
        });
        expect(body.items.map(({ details }: { details: object }) => details)).toEqual(
          status === 403 ? [{ provider: 'acme', code: 'REGISTRATION_CLOSED' }] : [],
        );
      } finally {
        await stage.close();
      }
    },
  );
});
