import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cliProgram, serverProgram } from '../../scripts/programs.ts';
import { anchors, blocks, commandsOf, links, pageText, ROOT } from './support/pages.ts';

const run = promisify(execFile);

function pagesIn(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => join(folder, name));
}
const PAGES = [
  ...pagesIn('.'),
  ...pagesIn('docs'),
  ...pagesIn('docs/adr'),
  ...pagesIn('docs/sdk'),
  ...pagesIn('docs/sdk/api'),
  ...pagesIn('docs/specification'),
  ...readdirSync(join(ROOT, 'packages')).flatMap((name) => pagesIn(join('packages', name))),
  ...readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap(({ name }) => pagesIn(join('examples', name))),
  ...pagesIn('bench'),
];

/** A page, its own README where it is a folder. */
function pageOf(path: string): string {
  const readme = join(path, 'README.md');
  return statSync(join(ROOT, path)).isDirectory() && existsSync(join(ROOT, readme)) ? readme : path;
}

async function brokenLinks(page: string): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { path, anchor } of links(await pageText(page))) {
    const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, target))) broken.push(path);
    else if (anchor !== '' && !anchors(await pageText(pageOf(target))).includes(anchor))
      broken.push(`${path}#${anchor}`);
  }
  return broken;
}

describe('the pages', () => {
  it.each(PAGES)('%s links to what is there', async (page) => {
    expect(await brokenLinks(page)).toEqual([]);
  });

  it('can all be reached from the README', async () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const { path } of links(await pageText(page))) {
        const target = pageOf(relative(ROOT, join(ROOT, dirname(page), path)));
        if (target.endsWith('.md')) reached.add(target);
      }
    }
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
  });

  it('name settings that there are', async () => {
    const own = /CHANGGU_[A-Z_]+[A-Z]/g;
    const known: readonly string[] = [
      ...((await pageText('docs/configuration.md')).match(own) ?? []),
      // Of the tests and the benches.
      'CHANGGU_TEST_POSTGRES_URL',
      'CHANGGU_BENCH_POSTGRES_URL',
    ];
    const patterns = ['CHANGGU_PRODUCTION_URL_', 'CHANGGU_REAL_TEST_URL_'];
    for (const page of PAGES) {
      const named: readonly string[] = (await pageText(page)).match(own) ?? [];
      const unknown = named.filter(
        (name) => !known.includes(name) && !patterns.some((start) => name.startsWith(start)),
      );
      // Shown as an example of what is refused.
      expect(unknown.filter((name) => name !== 'CHANGGU_MCP_READONLY')).toEqual([]);
    }
  });

  it('use variables in shell blocks that the reader has set', async () => {
    for (const page of PAGES) {
      const lines = blocks(await pageText(page), 'sh', 'bash').join('\n');
      const used = Array.from(lines.matchAll(/\$\{?([A-Z_]+)/g), ([, name = '']) => name);
      const unset = used.filter(
        (name) => !/^(CHANGGU_|SHELL$|PWD$)/.test(name) && !lines.includes(`${name}=`),
      );
      expect(unset, page).toEqual([]);
    }
  });
});

/** What `changgu commands --json` prints. */
interface Described {
  readonly global_options: readonly { readonly flags: string }[];
  readonly commands: readonly {
    readonly command: string;
    readonly options: readonly { readonly flags: string }[];
  }[];
}

const wordsOf = (command: string) => command.split(/\s+/).filter((word) => !/^['"(]/.test(word));
const optionsOf = (words: readonly string[]) =>
  words.flatMap((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? []);

/** How many words name the command of changgu-server: some stand in a group, or in a group of a group. */
const depthOf = ([group = '', command = '']: readonly string[]) => {
  if (group === 'oauth' && command === 'client') return 3;
  return /^(admin|api-key|audit|connector|identity-provider|keys|oauth)$/.test(group) ? 2 : 1;
};

async function helpOf(path: readonly string[]): Promise<string> {
  const args = [...serverProgram(), ...path, '--help'];
  return (await run(process.execPath, args)).stdout;
}

let described: Promise<Described> | undefined;

/** Asked for once: a start of the program takes a while on a busy machine. */
function describedCommands(): Promise<Described> {
  described ??= run(process.execPath, [...cliProgram(), 'commands', '--json']).then(({ stdout }) =>
    JSON.parse(stdout),
  );
  return described;
}

describe('the commands in the pages', () => {
  it('of changgu-server are commands with these options', async () => {
    const shown = new Set<string>();
    for (const page of PAGES) {
      for (const command of commandsOf(await pageText(page), '(?:changgu-server|@changgu/server)'))
        shown.add(command);
    }
    expect(shown.size).toBeGreaterThan(10);
    const helps = new Map<string, string>();
    for (const command of shown) {
      // What follows a pipe is another program's.
      const words = wordsOf(command.split(' | ', 1)[0] ?? '');
      const path = words.slice(0, depthOf(words));
      const name = path.join(' ');
      const help = helps.get(name) ?? (await helpOf(path));
      helps.set(name, help);
      expect(help).toContain(`Usage: changgu-server ${name}`);
      for (const option of optionsOf(words)) expect(help, command).toContain(option);
    }
  });

  it('of changgu are commands with these options', async () => {
    const commands = await describedCommands();
    const shown = new Set<string>();
    for (const page of PAGES)
      for (const command of commandsOf(await pageText(page), 'changgu')) shown.add(command);
    expect(shown.size).toBeGreaterThan(20);
    for (const command of shown) expect(isKnown(commands, command), command).toBe(true);
  });

  it('that messages of the programs name are commands, too', async () => {
    const commands = await describedCommands();
    const shown = new Set<string>();
    for (const file of sources()) {
      const named = (await pageText(file)).matchAll(NAMED);
      for (const [, command = ''] of named) shown.add(command);
    }
    expect(shown.size).toBeGreaterThan(5);
    for (const command of shown) expect(isKnown(commands, command), command).toBe(true);
  });
});

/** A command in backticks, escaped or not, up to its first argument. */
const NAMED = /`changgu ([a-z-]+(?: [a-z-]+)*)(?=\\?`| [<$-])/g;

function sources(): readonly string[] {
  const packages = readdirSync(join(ROOT, 'packages'));
  return packages.flatMap((name) => {
    const folder = join('packages', name, 'src');
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    return files
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.includes('generated'))
      .map((file) => join(folder, file));
  });
}

/** There is such a command, or a group of them, with all these options. */
function isKnown({ commands, global_options: everywhere }: Described, shown: string): boolean {
  // What follows `--` is another program's.
  const words = wordsOf(shown.split(' -- ', 1)[0] ?? '');
  const path = words.filter((word) => !word.startsWith('-'));
  return commands.some(({ command, options }) => {
    const names = command.split(' ').slice(1);
    const same = names.slice(0, path.length).every((name) => path.includes(name));
    const all = [...options, ...everywhere, { flags: '--help' }];
    const flags = all.flatMap((option) => option.flags.split(/[ ,]+/));
    return same && optionsOf(words).every((option) => flags.includes(option));
  });
}
