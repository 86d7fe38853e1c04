/** Files are saved whole, in the place of nothing else. */
import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeService } from '@changgu/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { homeOf, runOn } from '../support/on-fake-service.ts';

const ACTION = 'bank_b.accounts.transaction_history.search';

/** A job that has ended with these files: what is in them is their number and name. */
async function jobWith(names: readonly string[]) {
  const bytes = (name: string, index: number) => new TextEncoder().encode(`${index} ${name}`);
  const files = names.map((name, index) => ({ name, bytes: bytes(name, index) }));
  const fake = new FakeService().willEnd(ACTION, { state: 'SUCCEEDED', data: null, files });
  const home = await homeOf(fake);
  onTestFinished(() => home[Symbol.asyncDispose]());
  const run = (...argv: string[]) => runOn(fake, home, argv);
  const { stdout } = await run('jobs', 'submit', ACTION, '--wait', '--json');
  const download = ['artifacts', 'download', JSON.parse(stdout).job_id, '--lang', 'en'];
  return { dir: home.dir, download: (...argv: string[]) => run(...download, ...argv) };
}

it.each([
  [
    'of one name',
    ['계산서.pdf', '계산서.pdf', '계산서.pdf'],
    ['계산서.pdf', '2-계산서.pdf', '3-계산서.pdf'],
  ],
  ['that differ in what no name may hold', ['a/b.pdf', 'a:b.pdf'], ['a_b.pdf', '2-a_b.pdf']],
  ['that differ in their case', ['A.PDF', 'a.pdf'], ['A.PDF', '2-a.pdf']],
  ['one of which has a number already', ['2-a', 'a', 'a'], ['2-a', 'a', '3-a']],
])('files of one job are all saved: those %s', async (_, names, saved) => {
  const { dir, download } = await jobWith(names);
  const paths = saved.map((name) => join(dir, 'out', name));
  const { code, stdout } = await download('--to', 'out/', '-o', 'id');
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${paths.join('\n')}\n` });
  for (const [index, path] of paths.entries()) {
    expect(await readFile(path, 'utf8')).toBe(`${index} ${names[index]}`);
  }
  expect(await download('--to', 'out/')).toMatchObject({ code: 2 });
});

it.each([[[]], [['--force']]])(
  'a pipe is not replaced by a file, also with %j: the way to write into it is named',
  async (force) => {
    const { dir, download } = await jobWith(['a.csv']);
    const pipe = join(dir, 'the pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await download('--to', 'the pipe', ...force);
    expect(code).toBe(2);
    expect(stderr).toBe(`Error: Not a regular file: ${pipe}\n  --to - > 'the pipe'\n`);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  },
);
