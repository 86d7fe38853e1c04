/**
 * Writes down the help of every command, in both languages, as text beside the build and as pages for `man`: what the
 * program would print, so that asking for help loads no parser. Run by the build, after it.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { OutputStream } from '../src/io.ts';
import { widthOf } from '../src/output/width.ts';
import { runCli } from '../src/run-cli.ts';
import { fileOf } from '../src/static-help.ts';
import { VERSION } from '../src/version.ts';

/** Tests build elsewhere. */
const dist = resolve(join(import.meta.dirname, '..'), process.env.OUT_DIR ?? 'dist');
const index: Record<string, Record<string, number>> = {};
await rm(join(dist, 'man'), { recursive: true, force: true });
await mkdir(join(dist, 'man'), { recursive: true });
for (const language of ['ko', 'en']) {
  await mkdir(join(dist, 'help', language), { recursive: true });
  const widths: Record<string, number> = {};
  for (const words of await commandPaths()) {
    const help = await print([...words, '--help', '--lang', language]);
    widths[fileOf(words)] = Math.max(...help.split('\n').map(widthOf));
    await writeFile(join(dist, 'help', language, fileOf(words)), help);
    if (language === 'en') {
      const name = ['changgu', ...words].join('-');
      await writeFile(join(dist, 'man', `${name}.1`), manPage(name, help));
    }
  }
  index[language] = widths;
}
await writeFile(join(dist, 'help', 'index.json'), JSON.stringify(index));

/** The program, its groups and its commands. */
async function commandPaths(): Promise<string[][]> {
  const lines = (await print(['commands', '-o', 'id'])).trim().split('\n');
  const paths = lines.map((line) => line.split(' ').slice(1));
  const groups = paths.filter((path) => path.length > 1).map(([group = '']) => group);
  return [[], ...[...new Set(groups)].map((group) => [group]), ...paths];
}

async function print(argv: readonly string[]): Promise<string> {
  let text = '';
  const stdout: OutputStream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  const code = await runCli(argv, {
    env: {},
    cwd: dist,
    home: dist,
    platform: process.platform,
    stdin: Readable.from([]),
    stdout,
    stderr: process.stderr,
    isAlive: () => false,
    onStop: () => {},
  });
  if (code !== 0) throw new Error(`changgu ${argv.join(' ')}: ${code}`);
  return text;
}

/** The NAME section has the form that `whatis` and `apropos` read. */
function manPage(name: string, help: string): string {
  const [, about = ''] = help.split('\n\n');
  const lines = help.replaceAll('\\', '\\e').replaceAll(/^(?=[.'])/gm, '\\&');
  return [
    `.TH ${name.toUpperCase()} 1 "" "changgu ${VERSION}" "Changgu"`,
    '.SH NAME',
    `${name} \\- ${about.replace(/\.$/, '').replaceAll('\\', '\\e')}`,
    '.SH DESCRIPTION',
    '.nf',
    `${lines}.fi`,
    '',
  ].join('\n');
}
