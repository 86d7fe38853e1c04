import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestHome, testHome } from './support/run.ts';

const CLI = join(import.meta.dirname, '..');

let dir: string;
let home: TestHome;
beforeAll(async () => {
  home = await testHome();
  // Where packages that are not bundled are found.
  dir = await mkdtemp(join(CLI, 'node_modules', '.built-'));
  const tsup = join(CLI, '..', '..', 'node_modules', 'tsup', 'dist', 'cli-default.js');
  const env = { ...process.env, OUT_DIR: join(dir, 'dist') };
  const { status, stderr } = spawnSync(process.execPath, [tsup], { cwd: CLI, env });
  if (status !== 0) throw new Error(String(stderr));
  const helps = ['--conditions=@changgu/source', join(CLI, 'scripts', 'write-help.ts')];
  const written = spawnSync(process.execPath, helps, { cwd: CLI, env });
  if (written.status !== 0) throw new Error(String(written.stderr));
  await mkdir(join(dir, 'bin'));
  await copyFile(join(CLI, 'bin', 'changgu.cjs'), join(dir, 'bin', 'changgu.cjs'));
}, 60_000);
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

/** Runs the build in a process of its own. */
function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(dir, 'bin', 'changgu.cjs'), ...argv],
    {
      encoding: 'utf8',
      input: '',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: home.dir,
        CHANGGU_CREDENTIAL_STORE: 'file',
        CHANGGU_CLIENT_ID: 'cli_x',
        CHANGGU_CLIENT_SECRET: 'x',
        ...env,
      },
    },
  );
  return { status, stdout, stderr };
}

describe('the build', { timeout: 60_000 }, () => {
  it.each([
    [['complete', '--', 'jobs', 'submit', 'bank_c'], 'bank_c.accounts.list\t'],
    [['completion', 'zsh'], '#compdef changgu'],
    [['actions', 'list', '-o', 'id'], 'bank_b.accounts.list\n'],
    [['actions', 'show', 'bank_b.accounts.list', '--jq', '.action'], 'bank_b.accounts.list\n'],
    [['config', 'path'], 'config.toml'],
    [['jobs', 'list', '--help'], '--status'],
  ])('has all that %j needs', (argv, words) => {
    const ran = run(argv);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(ran.stdout).toContain(words);
  });

  it.runIf(existsSync('/dev/full'))('says of help and version that the disk is full', () => {
    for (const words of [['--version'], ['help'], ['jobs', 'list', '--help'], []]) {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(
        process.execPath,
        [join(dir, 'bin', 'changgu.cjs'), ...words],
        { encoding: 'utf8', stdio: ['ignore', full, 'pipe'], env: { LANG: 'en_US.UTF-8' } },
      );
      closeSync(full);
      const said = "Error: Can't write the output (no space left).\n";
      expect({ status, stderr }).toEqual({ status: 1, stderr: said });
    }
  });

  it('finds the programs that are installed beside it', () => {
    const { stderr } = run(['mcp', 'install', 'emacs', '--lang', 'en']);
    expect(stderr).not.toContain('is not installed');
  });

  it('has a page for man of the program, of every group and of every command', async () => {
    const { stdout } = run(['commands', '-o', 'id']);
    const commands = stdout.trim().split('\n');
    expect(commands.length).toBeGreaterThan(50);
    const groups = commands.map((command) => command.split(' ').slice(0, 2).join(' '));
    const names = [...new Set(['changgu', ...groups, ...commands])].map((command) =>
      command.replaceAll(' ', '-'),
    );
    const man = join(dir, 'dist', 'man');
    expect((await readdir(man)).toSorted()).toEqual(names.map((name) => `${name}.1`).toSorted());
    for (const name of names) {
      const page = await readFile(join(man, `${name}.1`), 'utf8');
      expect(page).toMatch(new RegExp(`^\\.TH ${name.toUpperCase()} 1 `));
      const [, purpose = ''] =
        page.match(new RegExp(`\\.SH NAME\n${name} \\\\- (.+)\n\\.SH `)) ?? [];
      expect(purpose).toMatch(/^\w.+[^.]$/);
      const [, description = ''] = page.split('.SH DESCRIPTION\n.nf\n');
      expect(description).toContain(`Usage: changgu`);
      // A line that began with a dot or a quote would be a request to man.
      expect(description.split('\n').filter((line) => /^[.'](?!fi$)/.test(line))).toEqual([]);
    }
  });

  it.skipIf(spawnSync('lexgrog', ['--help']).status !== 0)(
    'has pages whose purpose whatis and apropos find',
    () => {
      const page = join(dir, 'dist', 'man', 'changgu-jobs-submit.1');
      const { status, stdout } = spawnSync('lexgrog', [page], { encoding: 'utf8' });
      expect({ status, found: stdout.slice(page.length) }).toEqual({
        status: 0,
        found: ': "changgu-jobs-submit - submit one institution call"\n',
      });
    },
  );

  it('reads and writes a configuration', () => {
    expect(run(['config', 'set', 'base_url', 'https://changgu.example']).status).toBe(0);
    const { stdout } = run(['profiles', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ base_url: 'https://changgu.example' }]);
  });

  it.each([
    [{}],
    // The SDK's own transport, over a proxy that is not there.
    [{ HTTPS_PROXY: 'http://127.0.0.1:9', CHANGGU_BASE_URL: 'https://changgu.example' }],
    [{ CHANGGU_BASE_URL: 'http://127.0.0.1:9' }],
  ])('says why a request failed, with %j', (env) => {
    const refused = { CHANGGU_BASE_URL: 'http://127.0.0.1:9', ...env };
    const { status, stderr } = run(['jobs', 'list', '--timeout', '20s'], refused);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^오류: 서버가 (연결을 거부했습니다|제때 응답하지 않았습니다)/);
  });

  it('keeps compiled code for the user alone, and takes none of another build', async () => {
    const cache = join(home.dir, 'cache');
    const kept = join(cache, 'changgu', 'code', 'config');
    const path = () => run(['config', 'path'], { XDG_CACHE_HOME: cache });
    const first = path();
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    const { mtimeMs } = await stat(kept);
    expect(path()).toEqual(first);
    expect((await stat(kept)).mtimeMs).toBe(mtimeMs);
    const bytes = await readFile(kept);
    for (const other of [bytes.fill(48, 0, 64), Buffer.from('damaged'), bytes.fill(1, 200, 900)]) {
      await writeFile(kept, other);
      expect(path()).toEqual(first);
      expect((await readFile(kept)).equals(other)).toBe(false);
    }
  });

  it('runs where nothing can be kept', async () => {
    const file = join(home.dir, 'a-file');
    await writeFile(file, '');
    for (const env of [{ XDG_CACHE_HOME: file }, { HOME: '' }]) {
      expect(run(['config', 'path'], env)).toMatchObject({ status: 0, stderr: '' });
    }
  });

  it('every package that few commands need is a file of its own', async () => {
    expect(await readdir(join(dir, 'dist', 'leaves'))).toEqual(
      expect.arrayContaining([
        'catalogue.json',
        'clack-core.cjs',
        'openid-client.cjs',
        'undici.cjs',
      ]),
    );
  });
});
