import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAuthenticator } from '../support/authenticator.ts';
import {
  agree,
  allowDomain,
  inviteTo,
  logInAs,
  newBrowser,
  type ProviderStage,
  startWithProvider,
} from '../support/outside-login/provider-login.ts';
import { bearer, callerWith, newPerson, type Person } from '../support/people.ts';
import { runBeside, startProgram } from '../support/run-command.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const PATIENT = { timeout: 60_000 };

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer();
  person = await newPerson(server);
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/** Runs a command beside the running server. Answers what it printed, by line. */
async function run(...args: string[]) {
  const lines = (await runBeside(server, ...args)).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const meByKey = (key: string) =>
  fetch(new URL('/v1/membership/me', server.url), { headers: { 'x-api-key': key } });
const statusOf = async (token: string) =>
  (await server.call('GET', '/v1/membership/me', { headers: bearer(token) })).status;

describe('commands of operators beside a running server', () => {
  it('remove an operator, whose token ends at once', PATIENT, async () => {
    const email = 'leaving@example.com';
    await run('admin', 'create', '--email', email);
    const token = await runBeside(server, 'admin', 'token', '--email', email);
    const audit = () => callerWith(server, token)('GET', '/v1/admin/audit');
    expect((await audit()).status).toBe(200);
    expect(await run('admin', 'remove', '--email', email)).toEqual([{ email, removed: true }]);
    expect((await audit()).status).toBe(401);
  });

  it('reject and approve the applications of integrators (D91)', PATIENT, async () => {
    const apply = async () => {
      const { body } = await person.call('POST', '/v1/me/integrator-applications', {
        company_name: '도서출판',
        contact_email: 'a@example.com',
        terms_agreed: true,
        use_case_text: '장부 연동',
      });
      return String(body.application_id);
    };
    const reject = ['--reject', '--note', '서류가 빠졌습니다'];
    const [rejected] = await run('admin', 'approve-integrator', await apply(), ...reject);
    expect(rejected.status).toBe('REJECTED');
    const [approved] = await run('admin', 'approve-integrator', await apply());
    expect(approved.status).toBe('APPROVED');
  });

  it(
    'print what a stranger wrote as the same JSON, which commands no terminal',
    PATIENT,
    async () => {
      const reason_text = 'please \u009b2J\u009d0;owned\u009c\u202e\u007f';
      const asked = await person.call('POST', '/v1/me/env-access-requests', {
        requested_target_env: 'real_test',
        reason_text,
      });
      expect(asked.status).toBe(201);
      const shown = await runBeside(server, 'admin', 'requests');
      expect(shown).not.toMatch(/[\u007f-\u009f\u202e]/);
      expect(JSON.parse(shown).env_access).toMatchObject([{ reasonText: reason_text }]);
    },
  );

  it('draft the invoices of a month that is over', PATIENT, async () => {
    const drafted = await run('admin', 'draft-invoices', '--month', '202001');
    expect(drafted).toEqual([{ drafted: [], waiting: [] }]);
    await expect(run('admin', 'draft-invoices', '--month', '202013')).rejects.toMatchObject({
      code: 1,
    });
  });

  it('list x-api-keys without the keys, and revoke one at once (D109)', PATIENT, async () => {
    const org = String(person.organizationId);
    const [issued] = await run('api-key', 'issue', '--org', org, '--env', 'sandbox');
    const listed = await run('api-key', 'list', '--org', org);
    expect(listed).toMatchObject([{ key_id: issued.key_id }]);
    expect(JSON.stringify(listed)).not.toContain(issued.api_key);
    await run('api-key', 'revoke', issued.key_id);
    expect((await meByKey(issued.api_key)).status).toBe(401);
    await expect(run('api-key', 'revoke', 'unknown')).rejects.toMatchObject({ code: 1 });
  });

  it('remove the second factor of who has lost it, and end every session', PATIENT, async () => {
    const { email, password, token, call } = await newPerson(server);
    const authenticator = newAuthenticator(server.url.replace('127.0.0.1', 'localhost'));
    const asked = await call('POST', '/v1/me/factors/passkeys/options', { password });
    const { attempt, public_key } = asked.body;
    const credential = authenticator.create(public_key);
    await call('POST', '/v1/me/factors/passkeys', { attempt, credential });
    const logIn = () => server.call('POST', '/v1/auth/login', { body: { email, password } });
    expect((await logIn()).body.error.code).toBe('AUTH_FACTOR_REQUIRED');
    expect(await run('admin', 'reset-factor', '--email', `${email} `)).toEqual([
      { email, second_factor: false },
    ]);
    expect(await statusOf(token)).toBe(401);
    expect((await logIn()).status).toBe(200);
    await expect(run('admin', 'reset-factor', '--email', 'nobody@x')).rejects.toMatchObject({
      code: 1,
    });
  });

  it('make no operator of what is no address', PATIENT, async () => {
    await expect(run('admin', 'create', '--email', 'not-an-email')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^changgu-server: .*email.*\n$/),
    });
  });

  it('print no link without the address of the server, and say so', PATIENT, async () => {
    const reset = ['admin', 'reset-link', '--email', person.email];
    await expect(runBeside(server, ...reset)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--base-url'),
    });
  });

  it('make a new key for receipts, which is published at once', PATIENT, async () => {
    const published = async (): Promise<string[]> => {
      const { body } = await server.call('GET', '/v1/receipts/keys');
      return body.keys.map(({ kid }: { kid: string }) => kid);
    };
    const before = await published();
    const [{ kid }] = await run('keys', 'rotate-receipts');
    expect(before).not.toContain(kid);
    expect(await published()).toContain(kid);
  });
});

describe('commands about identity providers beside a running server', () => {
  let stage: ProviderStage;
  let owner: Person;
  beforeAll(async () => {
    stage = await startWithProvider('sqlite');
    owner = await newPerson(stage.server);
  }, 60_000);
  afterAll(() => stage.close());

  async function command(...args: string[]): Promise<string> {
    const all = ['identity-provider', ...args, '--data-dir', stage.server.dataDir];
    const { stdout } = await startProgram(all, { CHANGGU_CONFIG: stage.config });
    return stdout.trim();
  }

  const domainOf = (domain: string, provider = 'acme') => {
    const organization = String(owner.organizationId);
    return ['--provider', provider, '--org', organization, '--domain', domain];
  };
  const shownOf = (domain: string) => ({
    organization_id: owner.organizationId,
    provider: 'acme',
    domain,
  });

  /** A person of the domain who has logged in at the provider once, as `subject`. */
  async function joined(subject: string, email: string): Promise<void> {
    stage.provider.people.set(subject, { email, name: '김로그인' });
    await inviteTo(owner, email);
    const browser = newBrowser(stage);
    await agree(browser, await logInAs(stage, browser, subject));
  }

  it('refuse a provider that is not configured', PATIENT, async () => {
    await expect(command('allow', ...domainOf('acme.example', 'other'))).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(configured: acme)'),
    });
  });

  it('say for whom a provider may vouch', PATIENT, async () => {
    expect(JSON.parse(await command('allow', ...domainOf('Acme.Example')))).toEqual({
      ...shownOf('acme.example'),
      allowed: true,
    });
    await joined('u-1', 'kim@acme.example');
    const again = await logInAs(stage, newBrowser(stage), 'u-1');
    expect(again.url).toContain('/console');
    expect(JSON.parse(await command('list'))).toEqual(shownOf('acme.example'));
  });

  it('take that back', PATIENT, async () => {
    await allowDomain(stage.server, owner.organizationId, 'left.example');
    await joined('u-2', 'lee@left.example');
    expect(JSON.parse(await command('disallow', ...domainOf('Left.Example')))).toEqual({
      ...shownOf('left.example'),
      allowed: false,
    });
    expect((await logInAs(stage, newBrowser(stage), 'u-2')).status).toBe(403);
    await expect(command('disallow', ...domainOf('left.example'))).rejects.toMatchObject({
      code: 1,
    });
  });

  it('let a person have a password again', PATIENT, async () => {
    await allowDomain(stage.server, owner.organizationId, 'pinned.example');
    const email = 'park@pinned.example';
    await joined('u-3', email);
    const logIn = () =>
      stage.server.call('POST', '/v1/auth/login', { body: { email, password: 'not mine 12' } });
    expect(JSON.parse(await command('unpin', 'Park@Pinned.example'))).toMatchObject({
      unpinned: true,
    });
    expect((await logIn()).body.error.code).toBe('AUTH_INVALID_CREDENTIALS');
    await expect(command('unpin', email)).rejects.toMatchObject({ code: 1 });
  });
});
