import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fetch } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const CONFIG = '.config/changgu/config.toml';
const secretsOf = (dir: string, profile: string) =>
  join(dir, `.config/changgu/credentials/${profile}.json`);
const keyLogin = () => [
  'login',
  '--base-url',
  service.server.url,
  '--client-id',
  service.server.client.client_id,
  '--secret-stdin',
];
const logIn = (home: Awaited<ReturnType<typeof testHome>>, ...more: string[]) =>
  home.run([...keyLogin(), ...more], { stdin: `${service.server.client.client_secret}\n` });

describe('login', () => {
  it('keeps the key in a profile, and its secret in a file of its owner alone', async () => {
    await using home = await testHome();
    const { code, stdout, stderr } = await logIn(home);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('로그인했습니다. 프로필: default');
    const config = await readFile(join(home.dir, CONFIG), 'utf8');
    expect(config).toContain('base_url = ');
    expect(config + stderr).not.toContain(service.server.client.client_secret);
    const file = secretsOf(home.dir, 'default');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700);
    expect((await home.run(['jobs', 'list'])).code).toBe(0);

    const who = await home.run(['whoami']);
    expect(who.stdout).toContain(`base_url\t${service.server.url}\t프로필\n`);
    expect(who.stdout).toContain('env_scope\tsandbox\t기본값\n');
    expect(who.stdout).toContain('principal_kind\tclient\t\n');
    expect(who.stdout).not.toContain(service.server.client.client_secret);
  });

  it.each([
    ['ko', (url: string, id: string) => `${url}에 ${id}(으)로 로그인합니다.`],
    ['en', (url: string, id: string) => `Logging in to ${url} as ${id}.`],
  ])('again shows in %s where and as whom before it takes the secret', async (lang, words) => {
    await using home = await testHome();
    await logIn(home);
    const { url, client } = service.server;
    const again = await home.run(['login', '--secret-stdin', '--lang', lang], {
      stdin: client.client_secret,
    });
    expect(again.code).toBe(0);
    expect(again.stderr.split('\n')[0]).toBe(words(url, client.client_id));
    const refused = await home.run(['login', '--lang', lang]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(words(url, client.client_id));
  });

  it('takes a key that is for the chosen environment only', async () => {
    await using home = await testHome();
    const { url, console: person, call } = service.server;
    const login = await call('POST', '/v1/auth/login', { body: person });
    const issued = await call('POST', '/v1/app-credentials', {
      headers: { authorization: `Bearer ${login.body.access_token}` },
      body: { label: 'one', allowed_env_scopes: ['real_test'] },
    });
    const { client_id: id, client_secret: secret } = issued.body;
    const line = ['login', '--base-url', url, '--client-id', id, '--secret-stdin'];
    expect((await home.run(line, { stdin: secret })).code).toBe(4);
    const chosen = await home.run([...line, '--env-scope', 'real_test'], { stdin: secret });
    expect(chosen.code).toBe(0);
  });

  it('refuses a wrong secret with 4 and keeps nothing', async () => {
    await using home = await testHome();
    const { code } = await home.run(keyLogin(), { stdin: 'wrong' });
    expect(code).toBe(4);
    await expect(stat(join(home.dir, CONFIG))).rejects.toThrow('ENOENT');
    expect((await home.run(['whoami'])).code).toBe(4);
  });

  it('does not prompt without a terminal: names the option instead', async () => {
    await using home = await testHome();
    for (const tty of [{}, { stdin: true, stderr: true } as const]) {
      const env = { CI: 'true' };
      const { code, stderr } = await home.run(
        ['login', '--base-url', service.server.url, '--client-id', 'x'],
        { tty, env },
      );
      expect(code).toBe(2);
      expect(stderr).toContain('--secret-stdin');
    }
  });

  it('--email gives a console token beside the key of the same profile; --token-stdin takes one', async () => {
    await using home = await testHome();
    await logIn(home);
    const { email, password } = service.server.console;
    expect((await home.run(['app-credentials', 'list'])).code).toBe(4);
    expect(
      (await home.run(['login', '--email', email, '--password-stdin'], { stdin: password })).code,
    ).toBe(0);
    expect((await home.run(['app-credentials', 'list'])).code).toBe(0);
    expect((await home.run(['jobs', 'list'])).code).toBe(0);

    const file = secretsOf(home.dir, 'default');
    const secrets = JSON.parse(await readFile(file, 'utf8'));
    const expired = { ...secrets, console_token_expires_at: '2026-01-01T00:00:00.000Z' };
    await writeFile(file, JSON.stringify(expired));
    const over = await home.run(['app-credentials', 'list']);
    expect(over.code).toBe(4);
    expect(over.stderr).toContain('콘솔 로그인이 만료되었습니다(2026-01-01T09:00:00.000+09:00).');
    expect(over.stderr).toContain('changgu login --email <email>');
    expect((await home.run(['jobs', 'list'])).code).toBe(0);

    const admin = await home.run(
      ['login', '--profile', 'admin', '--base-url', service.server.url, '--token-stdin'],
      {
        stdin: service.server.adminToken,
      },
    );
    expect(admin.code).toBe(0);
    const audit = await home.run([
      'api',
      'GET',
      '/v1/admin/audit',
      '--profile',
      'admin',
      '--as',
      'console',
    ]);
    expect(JSON.parse(audit.stdout).items).not.toHaveLength(0);
  });

  it('--demo takes what a dev server wrote', async () => {
    await using home = await testHome();
    const { url, client, console: person } = service.server;
    await mkdir(join(home.dir, '.changgu'));
    await writeFile(
      join(home.dir, '.changgu/demo.json'),
      JSON.stringify({ base_url: url, client, console: person }),
    );
    expect((await home.run(['login', '--demo'])).code).toBe(0);
    expect((await home.run(['profiles', 'list', '-o', 'id'])).stdout).toBe('demo\n');
    expect((await home.run(['links', 'list'])).code).toBe(0);
    expect((await home.run(['login', '--demo', 'nowhere.json'])).code).toBe(2);
  });
});

describe('a secret goes only where it was given for', () => {
  it('not to another address, from wherever that came', async () => {
    await using home = await testHome();
    await logIn(home);
    for (const other of [
      { argv: ['--base-url', 'http://127.0.0.1:9'] },
      { argv: [], env: { CHANGGU_BASE_URL: 'http://127.0.0.1:9' } },
    ]) {
      const { code, stderr } = await home.run(['jobs', 'list', ...other.argv], {
        env: other.env ?? {},
      });
      expect(code).toBe(4);
      expect(stderr).toContain(`에만 보낼 수 있습니다`);
    }
    await home.run(['config', 'set', 'base_url', 'http://127.0.0.1:9']);
    expect((await home.run(['jobs', 'list'])).code).toBe(4);
  });

  it('a project file may choose a profile and an environment, never an address', async () => {
    await using home = await testHome();
    await logIn(home);
    await logIn(home, '--profile', 'other');
    await writeFile(join(home.dir, 'changgu.toml'), 'profile = "other"\nenv_scope = "real_test"\n');
    const cwd = join(home.dir, 'deep/inside');
    await mkdir(cwd, { recursive: true });
    const { stdout } = await home.run(['config', 'list', '--json'], { cwd });
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { name: 'profile', value: 'other', source: 'project' },
        { name: 'env_scope', value: 'real_test', source: 'project' },
      ]),
    );
    await writeFile(join(home.dir, 'changgu.toml'), 'base_url = "https://evil.test"\n');
    const refused = await home.run(['jobs', 'list'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('base_url');
  });
});

describe('settings: flag > environment > project file > profile > default', () => {
  it('each wins over the next, and says where it came from', async () => {
    await using home = await testHome();
    await logIn(home);
    const scope = async (argv: string[] = [], env: Record<string, string> = {}) => {
      const { stdout } = await home.run(['config', 'list', '--json', ...argv], { env });
      const rows: { name: string; value: string; source: string }[] = JSON.parse(stdout);
      const { value, source } = rows.find(({ name }) => name === 'env_scope') ?? {};
      return `${value} ${source}`;
    };
    expect(await scope()).toBe('sandbox default');
    await home.run(['config', 'set', 'env_scope', 'production']);
    expect(await scope()).toBe('production profile');
    await writeFile(join(home.dir, 'changgu.toml'), 'env_scope = "real_test"');
    expect(await scope()).toBe('real_test project');
    const env = { CHANGGU_ENV_SCOPE: 'sandbox' };
    expect(await scope([], env)).toBe('sandbox environment');
    expect(await scope(['--env-scope', 'production'], env)).toBe('production flag');
    const warned = await home.run(['config', 'get', 'env_scope', '--env-scope', 'production'], {
      env,
    });
    expect(warned.stdout).toBe('production\n');
    expect(warned.stderr).toContain('CHANGGU_ENV_SCOPE');
  });

  it('a configuration that cannot be is wrong usage, with its file', async () => {
    await using home = await testHome();
    const file = join(home.dir, CONFIG);
    await mkdir(join(file, '..'), { recursive: true });
    for (const [text, words] of [
      ['profile = ', '설정 파일을 읽을 수 없습니다'],
      ['colour = "red"', 'colour'],
      ['[profiles.a]\nbase_ulr = "x"', 'profiles.a.base_ulr'],
      ['[profiles."a b"]', 'a b'],
      ['[profiles.a]\ncredential_store = "cloud"', 'profiles.a.credential_store'],
      ['profile = "gone"', 'gone'],
    ]) {
      await writeFile(file, text ?? '');
      const { code, stderr } = await home.run(['jobs', 'list']);
      expect({ text, code }).toEqual({ text, code: 2 });
      expect(stderr).toContain(words);
    }
  });

  it('config get, set and path', async () => {
    await using home = await testHome();
    await logIn(home);
    expect((await home.run(['config', 'path'])).stdout).toBe(`${join(home.dir, CONFIG)}\n`);
    expect((await home.run(['config', 'get', 'base_url'])).stdout).toBe(`${service.server.url}\n`);
    for (const argv of [
      ['get', 'nothing'],
      ['set', 'nothing', 'x'],
      ['set', 'env_scope', 'moon'],
      ['set', 'base_url', 'here'],
    ]) {
      expect((await home.run(['config', ...argv])).code).toBe(2);
    }
  });
});

describe('profiles and logout', () => {
  it('are listed, chosen, renamed and removed with their secrets', async () => {
    await using home = await testHome();
    await logIn(home, '--profile', 'one');
    await logIn(home, '--profile', 'two');
    expect((await home.run(['profiles', 'list', '--json=name,in_use'])).stdout).toBe(
      `${JSON.stringify(
        [
          { name: 'one', in_use: true },
          { name: 'two', in_use: false },
        ],
        null,
        2,
      )}\n`,
    );
    await home.run(['profiles', 'use', 'two']);
    expect((await home.run(['config', 'get', 'profile'])).stdout).toBe('two\n');
    await home.run(['profiles', 'rename', 'two', 'three']);
    expect((await home.run(['whoami'])).stdout).toContain('profile\tthree');
    expect((await home.run(['jobs', 'list'])).code).toBe(0);
    expect((await home.run(['profiles', 'rename', 'three', 'one'])).code).toBe(2);
    expect((await home.run(['profiles', 'rename', 'three', 'a b'])).code).toBe(2);

    const asked = await home.run(['profiles', 'remove', 'one']);
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('--yes');
    expect((await home.run(['profiles', 'remove', 'one', '--yes'])).code).toBe(0);
    await expect(stat(secretsOf(home.dir, 'one'))).rejects.toThrow('ENOENT');
    expect((await home.run(['profiles', 'use', 'one'])).code).toBe(2);

    await home.run(['logout']);
    expect((await home.run(['jobs', 'list'])).code).toBe(4);
    expect((await home.run(['logout', '--all'])).stderr).toContain('저장된 인증 정보가 없습니다');
  });
});

describe('a profile that another process writes during a login', () => {
  it.each([
    ['config set', ['config', 'set', 'email', 'x@example.com', '--profile', 'one'], 'email = '],
    ['profiles rename', ['profiles', 'rename', 'one', 'three'], '[profiles.three]'],
  ])('by %s is kept', async (_, argv, written) => {
    await using home = await testHome();
    await logIn(home, '--profile', 'one');
    let requests = 0;
    const fetch: Fetch = async (...request) => {
      requests += 1;
      if (requests === 1) expect((await home.run(argv)).code).toBe(0);
      return globalThis.fetch(...request);
    };
    const options = { stdin: service.server.client.client_secret, fetch };
    const late = await home.run([...keyLogin(), '--profile', 'two'], options);
    expect(late.code).toBe(0);
    const config = await readFile(join(home.dir, CONFIG), 'utf8');
    expect(config).toContain(written);
    expect(config).toContain('[profiles.two]');
  });

  it('at the same time waits for it', async () => {
    await using home = await testHome();
    await logIn(home, '--profile', 'one');
    const isAlive = () => true;
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(
      names.map((name) =>
        home.run([...keyLogin(), '--profile', name], {
          stdin: service.server.client.client_secret,
          isAlive,
        }),
      ),
    );
    const { stdout } = await home.run(['profiles', 'list', '-o', 'id']);
    expect(stdout.trim().split('\n').toSorted()).toEqual([...names, 'one']);
  });
});

describe('doctor', () => {
  it('finds everything well, and secrets that others can read', async () => {
    await using home = await testHome();
    await logIn(home);
    const well = await home.run(['doctor', '--json']);
    expect(well.code).toBe(0);
    // Scripts find a check by its id, in whatever language.
    const ids = ['node', 'config', 'permissions', 'keychain', 'service', 'clock', 'credentials'];
    for (const lang of ['ko', 'en']) {
      const { stdout } = await home.run(['doctor', '--lang', lang, '--json']);
      expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual(ids);
    }
    await chmod(secretsOf(home.dir, 'default'), 0o644);
    const open = await home.run(['doctor', '--lang', 'en', '--json']);
    expect(open.code).toBe(1);
    expect(JSON.parse(open.stdout)).toContainEqual(
      expect.objectContaining({ ok: false, detail: expect.stringContaining('0644') }),
    );
  });

  it('says which step fails when nothing is set up or the service does not answer', async () => {
    await using home = await testHome();
    expect((await home.run(['doctor'])).code).toBe(1);
    const { code, stdout } = await home.run(['doctor'], {
      env: { CHANGGU_BASE_URL: 'http://127.0.0.1:9' },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/서버 연결\t문제\t서버가 연결을 거부했습니다: http:\/\/127\.0\.0\.1:9/);
  });
});
