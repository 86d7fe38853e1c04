import { mkdir, readFile, writeFile } from 'node:fs/promises';
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
