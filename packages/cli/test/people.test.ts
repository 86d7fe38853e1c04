import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  const { email, password } = service.server.console;
  await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
});
afterAll(() => service[Symbol.asyncDispose]());
const run: Service['home']['run'] = (argv, options) => service.home.run(argv, options);
const json = async (...argv: string[]) => JSON.parse((await run([...argv, '--json'])).stdout);

const PASSWORD = 'a fresh passphrase 7';

async function join(email: string, role: string): Promise<number> {
  const { link } = await json('members', 'invite', email, '--role', role);
  const { body } = await service.server.call('POST', '/v1/auth/invitations/accept', {
    body: {
      token: new URL(link).hash.replace('#token=', ''),
      name: '새 사람',
      password: PASSWORD,
      agree_terms: true,
      agree_privacy: true,
    },
  });
  return body.user_id;
}

describe('members', () => {
  it('are invited, listed, given a role and removed', async () => {
    const id = await join('cli-member@example.com', 'MEMBER');
    const members = await json('members', 'list');
    expect(members).toContainEqual(
      expect.objectContaining({ user_id: id, email: 'cli-member@example.com', role: 'MEMBER' }),
    );
    const changed = await json('members', 'set-role', String(id), 'ADMIN');
    expect(changed.role).toBe('ADMIN');
    expect((await run(['members', 'remove', String(id)])).code).toBe(2);
    const removed = await run(['members', 'remove', String(id), '-y']);
    expect(removed.stdout).toBe(`${id}\tREMOVED\n`);
    expect((await run(['members', 'remove', 'me', '-y'])).code).toBe(2);
  });

  it('an invitation is shown with its link, listed without, and revoked', async () => {
    const invited = await run(['members', 'invite', 'cli-guest@example.com', '--lang', 'en']);
    expect(invited.stdout).toContain('#token=');
    expect(invited.stderr).toContain('pass the link on yourself');
    // Nothing is invited where the output would lose the link.
    expect((await run(['members', 'invite', 'lost@example.com', '-o', 'id'])).code).toBe(2);
    const [open, ...others] = await json('members', 'invitations');
    expect(others).toEqual([]);
    expect(open).not.toHaveProperty('link');
    const revoked = await run(['members', 'revoke-invitation', open.invitation_id]);
    expect(revoked.stdout).toBe(`${open.invitation_id}\tREVOKED\n`);
    expect(await json('members', 'invitations')).toEqual([]);
  });
});

describe('a question about what is not there', () => {
  it.each([
    [['members', 'remove', '999999999'], 'user', 'members'],
    [['members', 'hand-over', '999999999'], 'user', 'members'],
    [['app-credentials', 'revoke', 'cli_nope'], 'key', 'app-credentials'],
  ])('is not asked: %j ends as the answer of the service would', async (argv, what, group) => {
    const asking = { tty: { stdout: true, stderr: true }, keys: ['', 'n'] } as const;
    const { code, stderr } = await run([...argv, '--lang', 'en', '--no-color'], asking);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Error: No ${what} with this ID: ${argv[2]} (RESOURCE_NOT_FOUND)\n  changgu ${group} list\n`,
    });
    const confirmed = await run([...argv, '--yes', '--json']);
    expect(confirmed.code).toBe(1);
    const unasked = await run([...argv, '--json'], { tty: { stderr: true }, keys: ['', 'n'] });
    const { code: name, status } = JSON.parse(confirmed.stderr).error;
    expect(JSON.parse(unasked.stderr).error).toMatchObject({ code: name, status });
  });
});

describe('logins', () => {
  it('are listed and ended, and logout --everywhere ends all', async () => {
    await join('cli-sessions@example.com', 'MEMBER');
    const logIn = async () => {
      const home = await testHome({ CHANGGU_BASE_URL: service.server.url });
      const line = ['login', '--email', 'cli-sessions@example.com', '--password-stdin'];
      expect((await home.run(line, { stdin: PASSWORD })).code).toBe(0);
      return home;
    };
    await using first = await logIn();
    await using second = await logIn();
    const listed = await first.run(['sessions', 'list', '--json']);
    const sessions: { session_id: string; current: boolean }[] = JSON.parse(listed.stdout);
    expect(sessions).toHaveLength(2);
    const other = sessions.find(({ current }) => !current)?.session_id ?? '';
    expect((await first.run(['sessions', 'end', other])).stdout).toBe(`${other}\tENDED\n`);
    expect((await second.run(['sessions', 'list'])).code).toBe(4);
    await using third = await logIn();
    expect((await third.run(['logout', '--everywhere'])).code).toBe(0);
    expect((await first.run(['sessions', 'list'])).code).toBe(4);
  });

  it('take a code of the second factor, and ask for one only where it is needed', async () => {
    const email = 'cli-factor@example.com';
    const userId = await join(email, 'MEMBER');
    const [code, wrong] = ['abcd-efgh-ijkl-mnop', 'zzzz-zzzz-zzzz-zzzz'];
    await enroll(userId, code);
    await using home = await testHome({ CHANGGU_BASE_URL: service.server.url });
    const line = ['login', '--email', email, '--password-stdin', '--lang', 'en'];
    const unasked = await home.run(line, { stdin: PASSWORD });
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--factor-code');
    const refused = await home.run([...line, '--factor-code', wrong], { stdin: PASSWORD });
    expect(refused.code).not.toBe(0);
    const taken = await home.run([...line, '--factor-code', code], { stdin: PASSWORD });
    expect(taken.code).toBe(0);
  });

  async function enroll(userId: number, recoveryCode: string): Promise<void> {
    const { store, vault } = service.server.core;
    const id = randomUUID();
    const place = { table: 'factors', column: 'secret', row: id };
    const secret = await vault.seal('system', place, randomBytes(20));
    await store.factors.begin({ id, userId, label: null, secret });
    const codeHash = createHash('sha256').update(recoveryCode.replaceAll('-', '')).digest('hex');
    await store.factors.confirm({
      id,
      userId,
      organizationId: service.server.organizationId,
      step: 0,
      codeHashes: [codeHash],
      sessionId: null,
      actor: { kind: 'system', id: 'test', traceId: null },
    });
  }
});

describe('second factors', () => {
  it('are added with a code, asked for at the login, and removed', async () => {
    await join('cli-factors@example.com', 'MEMBER');
    const home = await testHome({ CHANGGU_BASE_URL: service.server.url });
    const login = ['login', '--email', 'cli-factors@example.com', '--password-stdin'];
    const stdin = { stdin: PASSWORD };
    expect((await home.run(login, stdin)).code).toBe(0);
    const adding = ['factors', 'add', '--label', 'phone', '--password-stdin'];
    // Nothing begins where the output would lose the secret.
    expect((await home.run([...adding, '-o', 'id'], stdin)).code).toBe(2);
    const told = await home.run([...adding, '--profile', 'default'], stdin);
    expect(told.stderr).toMatch(/\n {2}changgu factors confirm [0-9a-f-]{36} --profile default\n/);
    const begun = await home.run([...adding, '--json', '--lang', 'en'], stdin);
    const { factor_id: id, secret } = JSON.parse(begun.stdout);
    const codeOf = (ahead: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: Date.now() + ahead * 30_000,
      });
    const confirming = ['factors', 'confirm', id, '--factor-code', codeOf(-1), '--json'];
    const { recovery_codes: codes } = JSON.parse((await home.run(confirming)).stdout);
    expect(codes).toHaveLength(10);
    expect(JSON.parse((await home.run(['factors', 'list', '--json'])).stdout)).toMatchObject([
      { factor_id: id, kind: 'totp', label: 'phone' },
    ]);
    expect((await home.run([...login, '--factor-code', codeOf(0)], stdin)).code).toBe(0);
    const removing = ['factors', 'remove', id, '--password-stdin', '-y'];
    expect((await home.run(removing, stdin)).code).not.toBe(0);
    const removed = await home.run([...removing, '--factor-code', codes[0]], stdin);
    expect(removed.stderr).toBe('');
    expect(removed.stdout).toBe(`${id}\tREMOVED\n`);
    expect((await home.run(['factors', 'list'])).code).toBe(4);
  });

  it('take no password as an argument', async () => {
    expect((await run(['factors', 'add', '--password', PASSWORD])).code).toBe(2);
  });
});
