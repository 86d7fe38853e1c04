import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ALL_ACTS } from '../src/store/testing/no-filter.ts';
import { currentRsaKey, previousRsaKey } from './fixtures/rsa-oaep/rsa-keys.ts';
import { encrypt } from './support/encrypt.ts';
import { callerWith, logIn, newPerson, proveAddress } from './support/people.ts';
import { runBeside, startProgram } from './support/run-command.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const PATIENT = { timeout: 60_000 };

let server: TestServer;
/** What the next rings get; afterwards all get the same. */
let encryptionKeys: KeyObject[] = [];

beforeAll(async () => {
  server = await startTestServer({
    generateEncryptionKey: async () => encryptionKeys.shift() ?? currentRsaKey,
  });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const SERVE = {
  CHANGGU_PUBLIC_BASE_URL: 'https://jobs.example.com',
  CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
};

const run = (...args: string[]) => runBeside(server, ...args);

async function runJson(...args: string[]) {
  return JSON.parse(await run(...args));
}

describe('rotating a master key that a command prints', () => {
  it(
    'wraps the data keys anew and leaves the files of the data directory alone',
    PATIENT,
    async () => {
      await using own = await startTestServer();
      await newPerson(own);
      const file = join(own.dataDir, 'master-key');
      const before = await readFile(file, 'utf8');
      const keys = `${Buffer.alloc(32, 9).toString('base64')},${before.trim()}`;
      const argv = ['keys', 'rotate-master', '--data-dir', own.dataDir];
      const { stdout } = await startProgram(argv, { CHANGGU_MASTER_KEY_COMMAND: `echo ${keys}` });
      expect(JSON.parse(stdout).rewrapped).toBeGreaterThan(0);
      expect(await readFile(file, 'utf8')).toBe(before);
    },
  );
});

describe('commands beside a running server', () => {
  it('make an operator, whose token works at once (D87)', PATIENT, async () => {
    await run('admin', 'create', '--email', 'Operator@Example.com');
    const token = await run('admin', 'token', '--email', 'operator@example.com', '--ttl', '15m');
    const { status } = await callerWith(server, token)('GET', '/v1/admin/audit');
    expect(status).toBe(200);
  });

  it(
    'revoke a leaked signing key: tokens of before end within seconds (D86)',
    PATIENT,
    async () => {
      const person = await newPerson(server);
      expect((await person.call('GET', '/v1/membership/me')).status).toBe(200);
      expect((await runJson('keys', 'rotate-signing', '--revoke-previous')).previous).toEqual([]);
      await vi.waitFor(
        async () => expect((await person.call('GET', '/v1/membership/me')).status).toBe(401),
        { timeout: 10_000, interval: 500 },
      );
    },
  );

  it('make no master key for a database that is served with another (D64)', PATIENT, async () => {
    const empty = await mkdtemp(join(tmpdir(), 'changgu-no-key-'));
    const env = { CHANGGU_DATABASE_URL: `sqlite:${join(server.dataDir, 'changgu.db')}` };
    const listing = startProgram(['admin', 'requests', '--data-dir', empty], env);
    await expect(listing).rejects.toMatchObject({
      stderr: expect.stringContaining('there is no master key in'),
    });
    expect(await readdir(empty)).toEqual([]);
    await rm(empty, { recursive: true });
  });

  it('decide, subscribe and add members (D91, D145)', PATIENT, async () => {
    const person = await newPerson(server);
    const { body: request } = await person.call('POST', '/v1/me/env-access-requests', {
      requested_target_env: 'real_test',
    });
    const { env_access } = await runJson('admin', 'requests');
    expect(env_access).toMatchObject([{ id: request.request_id }]);
    const decided = await runJson('admin', 'approve-env', String(request.request_id));
    expect(decided.status).toBe('APPROVED');
    const org = String(person.organizationId);
    const plan = await runJson('admin', 'subscribe', '--org', org, '--plan', 'STANDARD');
    expect(plan).toMatchObject({ organization_id: person.organizationId, status: 'ACTIVE' });
    const colleague = await newPerson(server);
    await proveAddress(server, colleague.email);
    const add = ['admin', 'add-member', '--org', org, '--role', 'ADMIN'];
    expect(await runJson(...add, '--email', colleague.email)).toMatchObject({
      user_id: colleague.userId,
      role: 'ADMIN',
    });
    const moved = await logIn(server, colleague.email, colleague.password);
    for (const token of [person.token, moved]) {
      const { body: me } = await callerWith(server, token)('GET', '/v1/membership/me');
      expect(me).toMatchObject({
        organization_id: person.organizationId,
        membership_tier: 'PAID',
        plan_name: 'Standard',
      });
    }
  });

  it('register an OAuth client, list it without its secret, and remove it', PATIENT, async () => {
    const redirect = 'https://ledger.example/callback';
    const add = ['oauth', 'client', 'add', '--name', 'Ledger', '--secret'];
    const added = await runJson(...add, '--redirect-uri', redirect);
    expect(added).toMatchObject({
      client_id: expect.stringMatching(/^oac_/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    const listed = await run('oauth', 'client', 'list');
    expect(listed).toContain(added.client_id);
    expect(listed).toMatch(/"created_at":\s*"[^"]+\+09:00"/);
    expect(listed).not.toContain(added.client_secret);
    const removed = await runJson('oauth', 'client', 'remove', added.client_id);
    expect(removed).toMatchObject({ removed: true, revoked_grants: 0 });
    expect(await run('oauth', 'client', 'list')).not.toContain(added.client_id);
    const unsafe = ['oauth', 'client', 'add', '--name', 'x', '--redirect-uri', 'http://a.example'];
    await expect(run(...unsafe)).rejects.toThrow('https addresses');
  });

  it('issue and rotate an x-api-key (D109)', PATIENT, async () => {
    const org = String(server.organizationId);
    const issued = await runJson('api-key', 'issue', '--org', org, '--env', 'sandbox');
    const { status } = await fetch(new URL('/v1/membership/me', server.url), {
      headers: { 'x-api-key': issued.api_key },
    });
    expect(status).toBe(200);
    const rotated = await runJson('api-key', 'rotate', issued.key_id, '--overlap', '0');
    const use = (key: string) =>
      fetch(new URL('/v1/membership/me', server.url), { headers: { 'x-api-key': key } });
    expect((await use(issued.api_key)).status).toBe(401);
    expect((await use(rotated.api_key)).status).toBe(200);
    const limits = ['--expires', '2099-01-01T00:00:00+09:00', '--address', '203.0.113.0/24', '::1'];
    expect(
      await runJson('api-key', 'issue', '--org', org, '--env', 'sandbox', ...limits),
    ).toMatchObject({
      expires_at: '2099-01-01T00:00:00.000+09:00',
      allowed_addresses: ['203.0.113.0/24', '::1'],
    });
  });

  it(
    'rotate the encryption keys: old and new are listed, values for either arrive (D58, R61)',
    PATIENT,
    async () => {
      encryptionKeys = [currentRsaKey, previousRsaKey];
      const person = await newPerson(server);
      const publicKeys = async () =>
        (await person.call('GET', '/v1/crypto/public-key?env_scope=sandbox')).body.keys;
      const [before] = await publicKeys();
      const { retired } = await runJson('keys', 'rotate-encryption');
      expect(retired).toBeGreaterThan(0);
      const [after, ...previous] = await publicKeys();
      expect(previous).toEqual([before]);
      expect(after.kid).not.toBe(before.kid);
      // `encrypt` still uses the key of before.
      const linked = await person.call('POST', '/v1/credentials/link', {
        provider: 'bank_b',
        login_id: encrypt('rotated'),
        login_password: encrypt('p'),
      });
      expect(linked.status).toBe(201);
    },
  );

  it(
    'rotate the signing key: tokens of before and after are both good (D58)',
    PATIENT,
    async () => {
      const before = await newPerson(server);
      const kidOf = (token: string) =>
        JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
      const { kid } = await runJson('keys', 'rotate-signing');
      const after = await newPerson(server);
      expect(kidOf(after.token)).toBe(kid);
      expect(kidOf(before.token)).not.toBe(kid);
      for (const person of [before, after]) {
        expect((await person.call('GET', '/v1/membership/me')).status).toBe(200);
      }
    },
  );

  it('rotate the master key twice: what was sealed before still opens (D64)', PATIENT, async () => {
    const person = await newPerson(server);
    const login = {
      provider: 'bank_b',
      login_id: encrypt('sealed before'),
      login_password: encrypt('p'),
    };
    const first = await person.call('POST', '/v1/credentials/link', login);
    const one = await runJson('keys', 'rotate-master');
    const two = await runJson('keys', 'rotate-master');
    expect(two.master_key_id).not.toBe(one.master_key_id);
    expect(two.rewrapped).toBeGreaterThan(1);
    const again = await person.call('POST', '/v1/credentials/link', login);
    expect(again.body).toMatchObject({
      account_link_id: first.body.account_link_id,
      changed: false,
    });
    const stranger = await newPerson(server);
    expect((await stranger.call('POST', '/v1/credentials/link', login)).status).toBe(201);
    const restarted = await startTestServer({ dataDir: server.dataDir });
    const after = await restarted.call('POST', '/v1/credentials/link', {
      headers: { authorization: `Bearer ${person.token}` },
      body: login,
    });
    expect([after.status, after.body.changed]).toEqual([200, false]);
    await restarted.close();
  });

  it('verifies the audit log, and names the record that was changed', PATIENT, async () => {
    await using own = await startTestServer();
    const { audit } = own.core.store;
    // Both key rings are made after the start, and each leaves a record.
    const settled = async () =>
      (await audit.list({ ...ALL_ACTS, act: 'keys.rotate', limit: 10 })).length === 2 &&
      (await audit.countUnsealed()) === 0;
    await vi.waitUntil(settled, { timeout: 20_000 });
    const verify = () => run('audit', 'verify', '--data-dir', own.dataDir);
    const verification = JSON.parse(await verify());
    expect(verification).toMatchObject({ unsealed: 0, broken: null });
    const exported = await run('audit', 'export', '--data-dir', own.dataDir);
    expect(exported.split('\n')).toHaveLength(verification.sealed);
    using database = new DatabaseSync(join(own.dataDir, 'changgu.db'));
    database.exec("drop trigger audit_no_update; update audit set actor_id = 'x' where id = 1");
    await expect(verify()).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"audit_id":1,"reason":"the row was changed"'),
    });
  });

  it('records every act in the audit log, by command', PATIENT, async () => {
    const lines = (await run('admin', 'audit', '--limit', '100')).split('\n');
    const byCommand = lines
      .map((line) => JSON.parse(line))
      .filter(({ actor_id }) => actor_id === 'command');
    expect(byCommand.map(({ act }) => act)).toEqual(
      expect.arrayContaining([
        'admin.create',
        'admin.token',
        'env_access.decide',
        'subscription.set',
        'legacy_api_key.issue',
      ]),
    );
  });

  it('a server that cannot start says why in one line, and ends', PATIENT, async () => {
    const { port } = new URL(server.url);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // A TCP server that listens has an address of this kind.
    const { port: silentPort } = silent.address() as AddressInfo;
    const database = `postgres://user:secret-4821@127.0.0.1:${silentPort}/db`;
    const starts: [string[], Record<string, string>, number, RegExp][] = [
      [['dev', '--port', port], {}, 1, /EADDRINUSE/],
      [['dev', '--port', '0'], { CHANGGU_CONNECTORS: '/nowhere.mjs' }, 2, /cannot load/],
      [['serve'], { ...SERVE, CHANGGU_DATABASE_URL: 'sqlite:/nowhere/a.db' }, 1, /ENOENT/],
      [
        ['serve'],
        { ...SERVE, CHANGGU_DATABASE_URL: database, CHANGGU_LEASE_SECONDS: '3' },
        1,
        /PostgreSQL at 127\.0\.0\.1:\d+ does not answer \(.+\)\. Check CHANGGU_DATABASE_URL/,
      ],
      [
        ['serve', '--simulators'],
        { ...SERVE, CHANGGU_PRODUCTION_URL_BANK_A: 'https://bank.example' },
        2,
        /--simulators cannot be combined with CHANGGU_PRODUCTION_URL_BANK_A/,
      ],
    ];
    // At once, for one waits ten seconds for its database.
    const ends = await Promise.all(
      starts.map(async ([args, env]) => {
        const dataDir = args[0] === 'dev' ? ['--data-dir', server.dataDir] : [];
        return startProgram([...args, ...dataDir], env).catch((error) => error);
      }),
    );
    for (const [index, [args, , code, text]] of starts.entries()) {
      const started = ends[index];
      expect(started, args.join(' ')).toMatchObject({ code, stderr: expect.stringMatching(text) });
      expect(started.stderr).toMatch(/^changgu-server: .*\n$/);
      expect(started.stderr).not.toContain('secret-4821');
    }
    silent.close();
  });

  it('a wrong use ends with 2, a refusal with 1', PATIENT, async () => {
    await expect(run('admin', 'token')).rejects.toMatchObject({ code: 2 });
    await expect(run('admin', 'token', '--email', 'nobody@x')).rejects.toMatchObject({ code: 1 });
    for (const ttl of ['1 year', '32d']) {
      await expect(
        run('admin', 'token', '--email', 'operator@example.com', '--ttl', ttl),
      ).rejects.toMatchObject({ code: 2 });
    }
    const elsewhere = run('admin', 'requests', '--data-dir', join(server.dataDir, 'none'));
    await expect(elsewhere).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^changgu-server: there is no master key in .*\n$/),
    });
  });
});
