import { writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeService } from '@changgu/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { keychain } from '../support/keychain.ts';
import { type RunOptions, type TestHome, testHome } from '../support/run.ts';

const CONFIG = '.config/changgu/config.toml';
const SECRETS = '.config/changgu/credentials/default.json';
const KEY_LOGIN = ['login', '--client-id', 'cli_fake', '--secret-stdin'];
const KEY = { CHANGGU_CLIENT_ID: 'cli_fake', CHANGGU_CLIENT_SECRET: 'fake-secret' };

interface Bench extends AsyncDisposable {
  readonly home: TestHome;
  run(argv: readonly string[], options?: RunOptions): ReturnType<TestHome['run']>;
  /** Writes a file of the home. */
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
}

/** A home that is not logged in, and a service that accepts whatever it is given. */
async function startBench(): Promise<Bench> {
  const service = new FakeService().route(({ path }) => {
    if (path.endsWith('/membership/me')) return { status: 200, body: { principal_kind: 'user' } };
    if (path.endsWith('/auth/login')) {
      return { status: 200, body: { access_token: 'console-token', expires_in: 28_800 } };
    }
    if (path.endsWith('/app-credentials')) {
      return { status: 200, body: { items: [], next_cursor: null } };
    }
    return null;
  });
  const home = await testHome({ CHANGGU_BASE_URL: service.baseUrl });
  const at = (path: string) => join(home.dir, path);
  return {
    home,
    run: (argv, options = {}) =>
      service.clock.runUntil(
        home.run(argv, { fetch: service.fetch, clock: service.clock, ...options }),
      ),
    async write(path, text) {
      await mkdir(join(at(path), '..'), { recursive: true });
      await writeFile(at(path), text);
    },
    read: (path) => readFile(at(path), 'utf8'),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

const loadKeychain: RunOptions['loadKeychain'] = async () => {
  throw new Error('no session bus');
};

describe('a key from the environment', () => {
  it('is enough where the keychain of the profile is locked, but not in the place of a person', async () => {
    await using bench = await startBench();
    await bench.write(CONFIG, '[profiles.default]\ncredential_store = "keyring"\n');
    const options = { env: { ...KEY, CHANGGU_CREDENTIAL_STORE: '' }, loadKeychain };
    expect(await bench.run(['jobs', 'list'], options)).toMatchObject({ code: 0, stderr: '' });
    const asPerson = await bench.run(['members', 'list'], options);
    expect(asPerson).toMatchObject({ code: 4, stderr: expect.stringContaining('no session bus') });
  });
});

describe('a token of a login in the browser', () => {
  it('is not sent to another service, where a later login of another process has it from', async () => {
    await using bench = await startBench();
    const login = {
      base_url: 'https://changgu.test',
      oauth_access_token: 'of-this-service',
      oauth_access_token_expires_at: '2026-01-01T00:00:00.000Z',
      oauth_refresh_token: 'refresh',
    };
    const later = {
      ...login,
      base_url: 'https://other.test',
      oauth_access_token: 'of-another-service',
      oauth_access_token_expires_at: '2999-01-01T00:00:00.000Z',
    };
    await bench.write(CONFIG, '[profiles.default]\ncredential_store = "file"\n');
    await bench.write(SECRETS, JSON.stringify(login));
    const holder = { pid: 1, since: new Date().toISOString(), start: null };
    await bench.write(`${SECRETS.replace('.json', '.lock')}`, JSON.stringify(holder));
    // The process that had the lock has logged in elsewhere, and is gone.
    const isAlive = () => {
      writeFileSync(join(bench.home.dir, SECRETS), JSON.stringify(later));
      return false;
    };
    const sent: (string | null)[] = [];
    const fetch: RunOptions['fetch'] = async (_, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return Response.json({ items: [], next_cursor: null });
    };
    const ran = await bench.home.run(['jobs', 'list', '--lang', 'en'], { fetch, isAlive });
    expect(sent).toEqual([]);
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining('login --web') });
    expect(await bench.read(SECRETS)).toContain('of-another-service');
  });
});

describe('a later login', () => {
  it('with a token does not end when the one before it does', async () => {
    await using bench = await startBench();
    await bench.run(['login', '--email', 'a@example.com', '--password-stdin'], { stdin: 'pw' });
    const earlier = JSON.parse(await bench.read(SECRETS));
    expect(earlier).toHaveProperty('console_token_expires_at');
    const expired = { ...earlier, console_token_expires_at: '2026-01-01T00:00:00.000Z' };
    await bench.write(SECRETS, JSON.stringify(expired));
    expect((await bench.run(['login', '--token-stdin'], { stdin: 'token' })).code).toBe(0);
    expect((await bench.run(['app-credentials', 'list'])).code).toBe(0);
  });

  it('in another store leaves no secret in the one before', async () => {
    await using bench = await startBench();
    await bench.run(KEY_LOGIN, { stdin: 'secret' });
    const { load: loadKeychain, kept } = keychain();
    const env = { CHANGGU_CREDENTIAL_STORE: 'keyring' };
    const again = await bench.run(KEY_LOGIN, { stdin: 'secret', env, loadKeychain });
    expect(again.code).toBe(0);
    expect([...kept.keys()]).toEqual(['changgu/default']);
    await expect(bench.read(SECRETS)).rejects.toThrow('ENOENT');
  });
});

describe('a login keeps in its profile', () => {
  it('the environment that was named for it, and none of the project or of another profile', async () => {
    await using bench = await startBench();
    const login = (...more: string[]) => bench.run([...KEY_LOGIN, ...more], { stdin: 'secret' });
    await bench.write('changgu.toml', 'env_scope = "production"\n');
    expect((await login()).code).toBe(0);
    expect(await bench.read(CONFIG)).not.toContain('production');
    expect((await login('--env-scope', 'real_test')).code).toBe(0);
    expect(await bench.read(CONFIG)).toContain('env_scope = "real_test"');
  });

  it('nothing of the profile in whose place --demo makes its own', async () => {
    await using bench = await startBench();
    await bench.write(
      CONFIG,
      '[profiles.default]\nenv_scope = "production"\ncredential_store = "keyring"\n',
    );
    const client = { client_id: 'cli_demo', client_secret: 'secret' };
    const console = { email: 'a@example.com', password: 'pw' };
    const demo = { base_url: 'https://changgu.test', client, console };
    await bench.write('demo.json', JSON.stringify(demo));
    const options = { env: { CHANGGU_CREDENTIAL_STORE: '' }, loadKeychain };
    expect((await bench.run(['login', '--demo', 'demo.json'], options)).code).toBe(0);
    const [, written = ''] = (await bench.read(CONFIG)).split('[profiles.demo]');
    expect(written).toContain('credential_store = "file"');
    expect(written).not.toContain('env_scope');
  });
});

it.each([
  ['a logout', ['logout']],
  ['the end of a profile', ['profiles', 'remove', 'default', '--yes']],
])(
  'a process that never ends its login keeps %s waiting for a minute: 7, nothing done',
  async (_, argv) => {
    await using bench = await startBench();
    await bench.run(KEY_LOGIN, { stdin: 'secret' });
    const holder = { pid: 1, since: new Date().toISOString(), start: null };
    await bench.write(`${SECRETS.replace('.json', '.lock')}`, JSON.stringify(holder));
    const minute = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    const ran = await bench.run([...argv, '--lang', 'en'], { isAlive: () => true });
    minute.mockRestore();
    const words = expect.stringContaining('Another process is changing the credentials of');
    expect(ran).toMatchObject({ code: 7, stderr: words });
    expect(await bench.read(SECRETS)).toContain('secret');
    expect(await bench.read(CONFIG)).toContain('[profiles.default]');
  },
);

it("mcp install refuses a project's environment where the host starts outside of it", async () => {
  await using bench = await startBench();
  await bench.write(
    CONFIG,
    '[profiles.default]\nbase_url = "https://changgu.test/"\nenv_scope = "production"\n',
  );
  await bench.write('changgu.toml', 'env_scope = "sandbox"\n');
  const install = (host: string) => bench.run(['mcp', 'install', host, '--dry-run']);
  const refused = await install('codex');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('env_scope=sandbox') });
  expect((await install('claude-code')).code).toBe(0);
});

it('mcp install refuses a key from variables that is not the one of the profile', async () => {
  await using bench = await startBench();
  const install = (env: Readonly<Record<string, string>>) =>
    bench.run(['mcp', 'install', 'codex', '--dry-run'], { env });
  // Without a profile, the host's variables may have it.
  expect((await install(KEY)).code).toBe(0);
  await bench.write(
    CONFIG,
    '[profiles.default]\nbase_url = "https://changgu.test/"\nclient_id = "cli_fake"\n',
  );
  expect((await install(KEY)).code).toBe(0);
  const refused = await install({ ...KEY, CHANGGU_CLIENT_ID: 'cli_other' });
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('client_id=cli_other'),
  });
});

it("mcp install refuses what the project's file would undo where the host starts inside of it", async () => {
  await using bench = await startBench();
  await bench.write(CONFIG, '[profiles.default]\nbase_url = "https://changgu.test/"\n');
  await bench.write('changgu.toml', 'env_scope = "production"\n');
  const install = (scope: string) =>
    bench.run(['mcp', 'install', 'claude-code', '--dry-run', '--env-scope', scope]);
  const refused = await install('sandbox');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('changgu.toml') });
  expect((await install('production')).code).toBe(0);
});
