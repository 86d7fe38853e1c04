import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestHome, testHome } from './support/run.ts';
import { CTRL_C, CTRL_D, Terminal } from './support/terminal.ts';

let home: TestHome;
beforeAll(async () => {
  home = await testHome();
});
afterAll(() => home[Symbol.asyncDispose]());

/** A locale of the other language, which the option overrides. */
const inTerminal = (
  argv: readonly string[],
  lang: string,
  env: Readonly<Record<string, string>> = {},
) =>
  new Terminal([...argv, '--lang', lang], {
    ...env,
    HOME: home.dir,
    LC_ALL: lang === 'ko' ? 'en_US.UTF-8' : 'ko_KR.UTF-8',
  });

describe('a program that the command starts speaks the language of --lang', {
  timeout: 60_000,
}, () => {
  it.each([
    ['ko', 'n\r', '이대로 저장하시겠습니까? [y/N]', '저장하지 않았습니다.'],
    ['en', 'n\r', 'Write it like this? [y/N]', 'Nothing was written.'],
    ['en', CTRL_C, 'Write it like this? [y/N]', 'Nothing was written.'],
    ['en', CTRL_D, 'Write it like this? [y/N]', 'Nothing was written.'],
  ])(
    'mcp install asks and answers in %s, also to %j (D151)',
    async (lang, typed, question, answer) => {
      const terminal = inTerminal(['mcp', 'install', 'cursor'], lang);
      await terminal.sees(question);
      terminal.type(typed);
      await terminal.sees(answer);
      expect(await terminal.exit()).toBe(130);
      expect(await readdir(home.dir)).not.toContain('.cursor');
    },
  );

  it('mcp install asks no one with --no-input (D151)', async () => {
    const terminal = inTerminal(['mcp', 'install', 'cursor', '--no-input'], 'en');
    await terminal.sees('add --yes');
    expect(await terminal.exit()).toBe(2);
    expect(await readdir(home.dir)).not.toContain('.cursor');
  });

  it.each([
    ['ko', '중 하나를 지정'],
    ['en', 'choose one of'],
  ])('mcp install refuses an unknown host in %s', async (lang, words) => {
    const terminal = inTerminal(['mcp', 'install', 'emacs'], lang);
    await terminal.sees(words);
    expect(await terminal.exit()).toBe(2);
  });

  it.each([
    ['ko', '창구(Changgu)가 준비되었습니다.'],
    ['en', 'Changgu is ready.'],
  ])('sandbox start greets in %s, and ends at Ctrl-C', async (lang, words) => {
    const dataDir = join(home.dir, `sandbox-${lang}`);
    const argv = ['sandbox', 'start', '--port', '0', '--data-dir', dataDir];
    const terminal = inTerminal(argv, lang, { CHANGGU_LOG_LEVEL: 'info' });
    await terminal.sees(words);
    terminal.type(CTRL_C);
    await terminal.exit();
    expect(await readdir(dataDir)).toContain('demo.json');
    // At a second signal the server would end before its work is finished.
    expect(terminal.seen).toContain('"msg":"stopped"');
  });
});
