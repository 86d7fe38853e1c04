import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellText } from './shell-text.ts';

describe('a word of a command', () => {
  it.each([
    ['plain', 'srch_txt=a-b'],
    ['quotes and spaces', 'it\'s $HOME `id` \\ "x"'],
    ['a control character', 'a\u0003b\u001b[2J'],
    ['a mark that turns text', 'report_\u202exslx.exe\u2069'],
    ['lines and Korean', '가\n나'],
  ])('is the same to the shell: %s', (_, text) => {
    const shown = execFileSync('sh', ['-c', `printf %s ${shellText(text)}`], { encoding: 'utf8' });
    expect(shown).toBe(text);
  });

  it('holds no control character and no mark that turns what a person reads before running it', () => {
    const text = 'a\u0003b\u202ec\u2066d\u200fe';
    expect(shellText(text)).toMatch(/^[ -~]+$/);
  });
});
