import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgram } from './program.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'connector-')), "the union's");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(join(folder, '..'), { recursive: true });
});

/** What `connector create` prints, to a terminal or into a pipe. */
async function created(terminal: boolean, language = 'ko_KR.UTF-8'): Promise<string> {
  vi.stubEnv('LC_ALL', language);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { isTTY } = process.stdout;
  process.stdout.isTTY = terminal;
  try {
    await createProgram().parseAsync(['node', 'changgu-server', 'connector', 'create', folder]);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    process.stdout.isTTY = isTTY;
    write.mockRestore();
  }
}

describe('connector create', () => {
  it('prints one line of JSON into a pipe', async () => {
    const text = await created(false);
    const files = readdirSync(folder).toSorted();
    expect(JSON.parse(text)).toEqual({ created: files.map((name) => join(folder, name)) });
    expect(text.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['ko_KR.UTF-8', '커넥터 프로젝트를 만들었습니다'],
    ['en_US.UTF-8', 'Created a connector project'],
  ])('tells a person at a terminal what to do next (%s)', async (language, sentence) => {
    const text = await created(true, language);
    expect(text).toContain(`${sentence}: ${folder}\n`);
    const named = [...text.matchAll(/^ {2}(\S+\.ts) /gm)].map(([, name]) => name);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(named));
    expect(named).toHaveLength(3);
    expect(text).toContain('\n  npm install\n  npm test\n');
    const [, step = ''] = /^ {2}(cd .+)$/m.exec(text) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', `${step} && ls package.json`]);
    expect(stdout).toBe('package.json\n');
  });
});
