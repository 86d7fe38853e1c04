import { describe, expect, it } from 'vitest';
import { safeName } from './saved-files.ts';

describe('the name of a saved file', () => {
  it.each([
    ['../../etc/passwd', '__.._etc_passwd'],
    ['거래내역.xlsx', '거래내역.xlsx'],
    ['a\u202Etxt.exe', 'a_txt.exe'],
    ['', 'file'],
  ])('keeps %j in its folder', (name, safe) => expect(safeName(name)).toBe(safe));
});
