import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestHome, testHome } from './support/run.ts';

const CONFIG = '.config/changgu/config.toml';

async function withConfig(home: TestHome, text: string): Promise<string> {
  const file = join(home.dir, CONFIG);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
  return file;
}

describe('a typo in a name of the configuration', () => {
  it.each([
    ['config get', ['config', 'get', 'base_ulr'], '', 'base_url'],
    ['config set', ['config', 'set', 'env_scop', 'sandbox'], '', 'env_scope'],
    ['a profile', ['config', 'list'], '[profiles.a]\nclient-id = "x"', 'client_id'],
    ['the file', ['config', 'list'], 'profil = "a"', 'profile'],
  ])('in %s is refused with the nearest one', async (_, argv, text, meant) => {
    await using home = await testHome();
    await withConfig(home, text);
    const { code, stderr } = await home.run([...argv, '--lang', 'en']);
    expect(code).toBe(2);
    expect(stderr).toContain(`Did you mean ${meant}?`);
  });

  it("in a project's file is refused with the nearest one", async () => {
    await using home = await testHome();
    await writeFile(join(home.dir, 'changgu.toml'), 'env_scop = "sandbox"');
    const { code, stderr } = await home.run(['config', 'list', '--lang', 'en']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean env_scope?');
  });
});

describe("a person's config.toml", () => {
  const written = [
    '# Which company this is for.',
    'profile = "one" # by default',
    '',
    '# The test service.',
    '[profiles.one]',
    "base_url = 'https://one.example.com' # behind the VPN",
    '# The key of the accounting team.',
    'client_id = "abc"',
    '',
    '# The other one.',
    '[profiles.two]',
    'base_url = "https://two.example.com"',
    '',
  ];
  const changed = (...changes: readonly (readonly [from: string, to: string | null])[]) =>
    changes
      .reduce<readonly string[]>(
        (lines, [from, to]) =>
          lines.flatMap((line) => (line !== from ? [line] : to === null ? [] : to.split('\n'))),
        written,
      )
      .join('\n');

  it.each([
    [
      'config set of a value',
      [['config', 'set', 'base_url', 'https://new.example.com']],
      changed([
        "base_url = 'https://one.example.com' # behind the VPN",
        'base_url = "https://new.example.com" # behind the VPN',
      ]),
    ],
    [
      'config set of a further value',
      [['config', 'set', 'env_scope', 'real_test']],
      changed(['client_id = "abc"', 'client_id = "abc"\nenv_scope = "real_test"']),
    ],
    [
      'profiles use',
      [['profiles', 'use', 'two']],
      changed(['profile = "one" # by default', 'profile = "two" # by default']),
    ],
    [
      'profiles rename',
      [['profiles', 'rename', 'one', 'three']],
      changed(
        ['profile = "one" # by default', 'profile = "three" # by default'],
        ['[profiles.one]', '[profiles.three]'],
      ),
    ],
    [
      'profiles remove',
      [['profiles', 'remove', 'two', '--yes']],
      changed(['[profiles.two]', null], ['base_url = "https://two.example.com"', null]),
    ],
  ])('keeps its comments and its order at %s', async (_, [argv = []], text) => {
    await using home = await testHome();
    const file = await withConfig(home, written.join('\n'));
    expect(await home.run(argv)).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('keeps its line ends, and ends with a table that is added', async () => {
    await using home = await testHome();
    const file = await withConfig(home, '# Mine.\r\n[profiles.default]\r\nemail = "a"\r\n');
    await home.run(['config', 'set', 'email', 'b']);
    expect(await readFile(file, 'utf8')).toBe(
      'profile = "default"\r\n# Mine.\r\n[profiles.default]\r\nemail = "b"\r\n',
    );
  });

  it('is written where a symbolic link leads to, and the link stays', async () => {
    await using home = await testHome();
    const link = await withConfig(home, '');
    await rm(link);
    const file = join(home.dir, 'dotfiles.toml');
    await writeFile(file, '# Mine.\n');
    await symlink(file, link);
    await home.run(['config', 'set', 'email', 'b']);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, 'utf8')).toContain('# Mine.\n');
    expect(await readFile(file, 'utf8')).toContain('email = "b"');
  });

  it.each([
    'profiles = { default = { email = "a" } }',
    '[profiles]\ndefault.email = "a"',
    '[profiles.default]\nemail = """\na"""',
    "[profiles.default]\nclient_id = '''\nemail = \"\\q\"\n'''",
    '"profile" = "default"\n[profiles.default]\n"email" = "a"',
  ])('is written anew where its lines are of another form: %j', async (text) => {
    await using home = await testHome();
    await withConfig(home, text);
    await home.run(['config', 'set', 'email', 'b "quoted"']);
    expect((await home.run(['profiles', 'list', '--json=name,email'])).stdout).toBe(
      `${JSON.stringify([{ name: 'default', email: 'b "quoted"' }], null, 2)}\n`,
    );
  });
});
