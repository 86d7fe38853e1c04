import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../src/version.ts';
import { testHome } from './support/run.ts';

describe('what a script can rely on without a service (D151)', () => {
  it('--version says what package.json says', async () => {
    await using home = await testHome();
    const manifest = JSON.parse(
      await readFile(new URL('../package.json', import.meta.url), 'utf8'),
    );
    expect(VERSION).toBe(manifest.version);
    expect(await home.run(['--version'])).toMatchObject({
      code: 0,
      stdout: `${VERSION}\n`,
      stderr: '',
    });
  });

  it('--help and no arguments print help to stdout and end 0; a group alone is wrong usage', async () => {
    await using home = await testHome();
    for (const argv of [[], ['--help'], ['jobs', '--help'], ['jobs', 'submit', '-h']]) {
      const { code, stdout, stderr } = await home.run(argv);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^사용법: changgu/);
    }
    const group = await home.run(['jobs']);
    expect(group).toMatchObject({ code: 2, stdout: '' });
    expect(group.stderr).toMatch(/^사용법: changgu jobs/);
  });

  it.each([
    [['nosuch'], '알 수 없는 명령입니다: nosuch'],
    [['jobs', 'lst'], '혹시 list입니까?'],
    [['jobs', 'list', '--limt', '3'], '알 수 없는 옵션입니다: --limt'],
    [['jobs', 'list', '-L', 'many'], '정수여야 합니다: many'],
    [['jobs', 'list', '--timeout', '3'], '시간은 30s, 10m, 1h처럼 적습니다: 3'],
    [['jobs', 'get'], '인수가 필요합니다: job'],
    [['jobs', 'get', 'a', 'b'], '인수가 너무 많습니다.'],
    [['jobs', 'list', '-o', 'yaml'], '-o, --output <format>: 다음 중 하나여야 합니다: table, tsv'],
    [['jobs', 'list', '--env-scope', 'prod'], '--env-scope'],
  ])('%j is wrong usage: 2, in words or in JSON', async (argv, words) => {
    await using home = await testHome();
    const text = await home.run(argv);
    expect(text).toMatchObject({ code: 2, stdout: '' });
    expect(text.stderr).toContain(words);
    const json = await home.run([...argv, '--json']);
    expect(json).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'USAGE', exit_code: 2 });
  });

  it('speaks Korean unless the locale or --lang names another language', async () => {
    await using home = await testHome();
    const says = async (env: Record<string, string>, ...argv: string[]) =>
      (await home.run(['nosuch', ...argv], { env })).stderr.split(':')[0];
    expect(await says({})).toBe('오류');
    expect(await says({ LANG: 'C.UTF-8' })).toBe('오류');
    expect(await says({ LANG: 'ko_KR.UTF-8' })).toBe('오류');
    expect(await says({ LANG: 'en_US.UTF-8' })).toBe('Error');
    expect(await says({ LANG: 'en_US.UTF-8', LC_ALL: 'ko_KR.UTF-8' })).toBe('오류');
    expect(await says({}, '--lang', 'en')).toBe('Error');
  });

  it('says what is missing when nothing is configured', async () => {
    await using home = await testHome();
    const { code, stderr } = await home.run(['jobs', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain('서버 주소가 설정되지 않았습니다.');
  });
});
