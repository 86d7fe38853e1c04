import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tellHelp } from '../src/static-help.ts';
import { type TestHome, testHome } from './support/run.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const LISTS = fileURLToPath(new URL('./support/lists.ts', import.meta.url));

const ACTION = 'bank_b.accounts.transaction_history.search';
const INVOICES = 'tax_portal.e1.invoice_summary';

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

  it.each([
    [['jobs', 'list', '-L', '3', '--help']],
    [['../../etc/passwd', '--help']],
    [['nosuch', '--help']],
    [['jobs', 'list']],
  ])('leaves %j to the program, which knows more than the texts of the build', async (argv) => {
    await using home = await testHome();
    expect(tellHelp(argv, home.dir)).toBe(false);
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
    const heavy =
      /undici|zod|ofetch|@clack|smol-toml|packages\/(sdk|contract)\/(?!src\/language\.ts$)/;
    expect(loadedBy('--help').filter((name) => heavy.test(name))).toEqual([]);
    expect(loadedBy('jobs', 'submit', '--help').filter((name) => heavy.test(name))).toEqual([]);
    // Proves that the watch sees modules.
    expect(loadedBy('actions', 'list').some((name) => heavy.test(name))).toBe(true);
  });

  it('loads headings, tables and the table of errors only where one of them is printed', () => {
    const readable =
      /headings|output\/(table|tables|width|live-table|progress-line)\.ts|contract\/src\/errors\.ts/;
    expect(loadedBy('profiles', 'list', '--json').filter((name) => readable.test(name))).toEqual(
      [],
    );
    expect(loadedBy('config', 'list', '-o', 'table').some((name) => readable.test(name))).toBe(
      true,
    );
  });

  it('lists and downloads load neither the catalog nor the table of errors until a wrong name needs them', () => {
    const heavy = /sdk\/src\/catalogue|contract\/src\/(catalogue|errors)\.ts/;
    expect(loadedByProgram(LISTS).filter((name) => heavy.test(name))).toEqual([]);
  });

  it.each([
    [['help', 'nonsense'], 'nonsense'],
    [['nonsense', '--help'], 'nonsense'],
    [['help', 'jobs', 'lst'], 'lst'],
    [['--lang', 'ko', 'jobs', 'lst', '-h'], 'lst'],
  ])('of a command that there is not is wrong usage: %j, 2', async (argv, name) => {
    await using home = await testHome();
    const { code, stdout, stderr } = await home.run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`알 수 없는 명령입니다: ${name}`);
    if (name === 'lst') expect(stderr).toContain('혹시 list입니까?');
  });

  it('an unknown command is not taken for one that does something else', async () => {
    await using home = await testHome();
    const create = await home.run(['app-credentials', 'create', 'x', '--lang', 'en']);
    expect(create).toMatchObject({ code: 2, stderr: 'Error: Unknown command: create\n' });
    const near = await home.run(['app-credentials', 'isue', 'x', '--lang', 'en']);
    expect(near.stderr).toContain('Did you mean issue?');
    for (const slip of ['Jobs', 'obs']) {
      expect((await home.run([slip, '--lang', 'en'])).stderr).toContain('Did you mean jobs?');
    }
  });

  it('of a command is there beside its arguments', async () => {
    await using home = await testHome();
    const { code, stdout } = await home.run(['jobs', 'get', 'job_1', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('changgu jobs get');
  });

  it('of a group without a command is one line of JSON where JSON was asked for: 2', async () => {
    await using home = await testHome();
    for (const argv of [
      ['jobs', '--json'],
      ['runs', '-o', 'ndjson'],
    ]) {
      const { code, stdout, stderr } = await home.run(argv);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(JSON.parse(stderr).error).toMatchObject({ code: 'USAGE', exit_code: 2 });
    }
    const told = await home.run(['jobs']);
    expect(told).toMatchObject({ code: 2, stdout: '' });
    expect(told.stderr).toContain('submit');
  });
});

/** Every module that a run of the program loads, Node's own included. */
function loadedBy(...argv: string[]): string[] {
  return loadedByProgram(MAIN, ...argv);
}

function loadedByProgram(...program: string[]): string[] {
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
      ...program,
    ],
    { encoding: 'utf8' },
  );
  expect({ status, printed: stdout !== '' }).toEqual({ status: 0, printed: true });
  return JSON.parse(stderr);
}

describe('completion', () => {
  const answers = async (home: TestHome, ...words: string[]) => {
    const { code, stdout } = await home.run(['complete', '--', ...words]);
    expect(code).toBe(0);
    return stdout;
  };

  it.each([
    [['a'], 'all-accounts\t'],
    [['jobs', ''], 'submit\t'],
    [['jobs', 'submit', 'bank_c'], 'bank_c.accounts.transaction_history.search\tC은행'],
    [['jobs', 'submit', '--se'], '--secret\t'],
    [['jobs', 'list', '--prof'], '--profile\t'],
    [['jobs', 'list', '--status', 'FA'], 'FAILED\t'],
    [['jobs', 'list', '--provider', 'bank_'], 'bank_b\tB은행'],
    [['jobs', 'list', '-o', 'c'], 'csv\t'],
    [['jobs', 'submit', ACTION, '-p', 'dir'], 'direction=\t입출금 구분'],
    [['jobs', 'submit', ACTION, '-p', 'direction='], 'direction=in\t입금만'],
    [['jobs', 'submit', INVOICES, '-p', 'search_types='], 'search_types=02\t매입'],
    [['jobs', 'submit', ACTION, '--secret', ''], 'account_password\t'],
    [['mcp', 'install', 'cl'], 'claude-code\t'],
    [['runs', 'show', ''], 'last\t'],
    [['--lang', 'en', 'links', 'create', 'bank_b'], 'bank_b\tBank B'],
    [['completion', 'z'], 'zsh\t'],
  ])('completes %j', async (words, line) => {
    await using home = await testHome();
    const lang = words[0] === '--lang' ? ['--lang', 'en'] : [];
    const { stdout } = await home.run([...lang, 'complete', '--', ...words]);
    expect(stdout).toContain(line);
  });

  it('completes the profiles that there are, and leaves file names to the shell', async () => {
    await using home = await testHome();
    await home.run(['config', 'set', 'base_url', 'https://a.example']);
    await home.run(['profiles', 'rename', 'default', 'night']);
    expect(await answers(home, 'jobs', 'list', '--profile', '')).toContain('night\thttps://a');
    expect(await answers(home, 'profiles', 'use', 'n')).toContain('night\t');
    expect(await answers(home, 'links', 'create', 'bank_b', '--cert', '')).toBe(':0\n');
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])(
    'writes the script of %s, in whichever language and wherever the options stand',
    async (shell) => {
      await using home = await testHome();
      const korean = await home.run(['completion', shell]);
      expect(korean).toMatchObject({ code: 0, stderr: '' });
      expect(korean.stdout).toContain('changgu');
      expect(await home.run(['--lang', 'en', 'completion', shell])).toEqual(korean);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'completes in a bash without further packages, sourced twice, and runs nothing of the line',
    async () => {
      await using home = await testHome();
      const { stdout: script } = await home.run(['completion', 'bash']);
      const program = `changgu() { printf 'list\\tall\\nlast\\t\\nget\\t\\n:4\\n'; echo "$@" >&3; }
        compopt() { echo "compopt $*"; }
        COMP_CWORD=3
        COMP_WORDS=(changgu '$(echo ran >&3)' jobs l later)
        __changgu_complete
        echo "\${COMPREPLY[*]}"
        COMP_CWORD=2 COMP_WORDS=(changgu jobs '')
        __changgu_complete
        echo "\${COMPREPLY[*]}"
        complete -p changgu`;
      const ran = spawnSync(
        'bash',
        ['--norc', '--noprofile', '-c', `${script}${script}${program}`],
        {
          stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
          encoding: 'utf8',
        },
      );
      expect(ran.stderr).toBe('');
      expect(ran.stdout.split('\n')).toEqual([
        'compopt +o default',
        'list last',
        'compopt +o default',
        'list last get',
        'complete -o default -F __changgu_complete changgu',
        '',
      ]);
      expect(ran.output[3]).toBe('complete -- $(echo ran >&3) jobs l\ncomplete -- jobs \n');
    },
  );

  it('refuses another shell', async () => {
    await using home = await testHome();
    expect((await home.run(['completion', 'tcsh'])).code).toBe(2);
  });
});
