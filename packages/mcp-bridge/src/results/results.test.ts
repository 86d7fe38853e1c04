import { describe, expect, it } from 'vitest';
import { safeName } from './saved-files.ts';

describe('the name of a saved file', () => {
  it.each([
    ['../../etc/passwd', '__.._etc_passwd'],
    ['거래내역.xlsx', '거래내역.xlsx'],
    ['a\u202Etxt.exe', 'a_txt.exe'],
    ['', 'file'],
  ])('keeps %j in its folder', (name, safe) => expect(safeName(name)).toBe(safe));

  it.each(['가', '한글 이름 ', 'a', '🙂'])(
    'of many %s keeps its kind within the bytes that a disk takes',
    (part) => {
      const name = safeName(`${part.repeat(300)}.xlsx`);
      expect(name).toMatch(/\.xlsx$/);
      expect(name).not.toContain('\ufffd');
      const bytes = Buffer.byteLength(name);
      expect(bytes).toBeLessThanOrEqual(200);
      expect(bytes).toBeGreaterThan(190);
    },
  );
});
