import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testHome } from './support/run.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

afterEach(() => vi.restoreAllMocks());

describe('help', () => {
  it.each(['ko', 'en'])('of every command, in %s, is what was agreed on', async (lang) => {
    await using home = await testHome();
    const { stdout } = await home.run(['commands', '--json=command']);
    const commands: { command: string }[] = JSON.parse(stdout);
    expect(commands.length).toBeGreaterThan(50);
    const helps = [(await home.run(['--help', '--lang', lang])).stdout];
    for (const { command } of commands) {
      const [, ...words] = command.split(' ');
      const help = await home.run([...words, '--help', '--lang', lang]);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      helps.push(help.stdout);
    }
    await expect(helps.join('\n————\n\n')).toMatchFileSnapshot(`golden/help.${lang}.txt`);
  });

  it('names every option and argument of every command to tools', async () => {
    await using home = await testHome();
    const { stdout } = await home.run(['commands', '--json']);
    const { commands, global_options } = JSON.parse(stdout);
    expect(stdout.length).toBeLessThan(60_000);
    const submit = commands.find(
      ({ command }: { command: string }) => command === 'changgu jobs submit',
    );
    expect(submit.options).toContainEqual(
      expect.objectContaining({ flags: '--secret <name[=@source]>' }),
    );
    expect(submit.arguments).toEqual([
      expect.objectContaining({ name: 'action', required: false }),
    ]);
    expect(global_options).toContainEqual(
      expect.objectContaining({
        flags: '-o, --output <format>',
        choices: ['table', 'tsv', 'csv', 'json', 'ndjson', 'id'],
      }),
    );
  });

  it('loads no HTTP client, no schemas and no prompts', () => {
    const heavy = /undici|zod|ofetch|@clack|smol-toml|packages\/(sdk|contract)\//;
    expect(loadedBy('--help').filter((name) => heavy.test(name))).toEqual([]);
    expect(loadedBy('jobs', 'submit', '--help').filter((name) => heavy.test(name))).toEqual([]);
    // What would be seen, is seen.
    expect(loadedBy('actions', 'list').some((name) => heavy.test(name))).toBe(true);
  });
});

/** Every module that a run of the program loads, Node's own included. */
function loadedBy(...argv: string[]): string[] {
  const watch = `
    const { registerHooks } = await import('node:module');
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    process.on('exit', () => console.error(JSON.stringify([...loaded, ...process.moduleLoadList])));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=@changgu/source',
      '--import',
      `data:text/javascript,${encodeURIComponent(watch)}`,
      MAIN,
      ...argv,
    ],
    { encoding: 'utf8' },
  );
  expect({ status, printed: stdout !== '' }).toEqual({ status: 0, printed: true });
  return JSON.parse(stderr);
}

describe('completion', () => {
  async function answers(...words: string[]): Promise<string> {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    await using home = await testHome();
    expect((await home.run(['complete', '--', ...words])).code).toBe(0);
    vi.restoreAllMocks();
    return lines.join('\n');
  }

  it('knows commands, options, choices and the ids of actions', async () => {
    expect(await answers('')).toContain('all-accounts\t');
    expect(await answers('jobs', '')).toContain('submit\t');
    expect(await answers('jobs', 'submit', 'bank_c')).toContain(
      'bank_c.accounts.transaction_history.search\tC은행',
    );
    expect(await answers('jobs', 'submit', '--se')).toContain('--secret\t');
  });

  it('writes a script for every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const lines: string[] = [];
      vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
      await using home = await testHome();
      await home.run(['completion', shell]);
      vi.restoreAllMocks();
      expect(lines.join('\n')).toContain('changgu');
    }
  });
});
