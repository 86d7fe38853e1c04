import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Nameable, withNames } from './artifact-name.ts';

/** One in the morning of 1 December in Korea, still November elsewhere. */
const NOW = Date.parse('2026-11-30T16:00:00Z');

function namesOf(task: string, ...files: readonly Nameable[]): string[] {
  return withNames(task, files, NOW).map(({ name }) => name);
}

describe('artifact names (D71)', () => {
  it('task, day in Korea and qualifier', () => {
    expect(namesOf('납부내역', { extension: 'pdf' })).toEqual(['납부내역_20261201.pdf']);
    const qualified = { qualifier: ' 2026 10 ', extension: 'xlsx' };
    expect(namesOf('고지서', qualified)).toEqual(['고지서_20261201_2026_10.xlsx']);
  });

  it.each(['', '  ', '\u0000', '/'])(
    'have an extension where the file has %j (R43)',
    (extension) => {
      expect(namesOf('보고서', { extension })).toEqual(['보고서_20261201.bin']);
    },
  );

  it('differ within a job, also where a file system looks at neither case nor composition', () => {
    const extension = 'pdf';
    const same = [
      { extension },
      { extension },
      { qualifier: '2', extension },
      { extension: 'PDF' },
    ];
    expect(namesOf('계산서', ...same)).toEqual([
      '계산서_20261201.pdf',
      '계산서_20261201_2.pdf',
      '계산서_20261201_2_2.pdf',
      '계산서_20261201_3.PDF',
    ]);
    const texts = [
      '각',
      '각'.normalize('NFD'),
      `${'긴'.repeat(32)}1`,
      `${'긴'.repeat(32)}2`,
      '/각',
    ];
    const qualified = texts.map((qualifier) => ({ qualifier, extension }));
    const names = namesOf('계산서', ...qualified).map((name) => name.normalize('NFC'));
    expect(new Set(names).size).toBe(texts.length);
  });

  it('fit every file system, whatever an institution calls them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (qualifier) => {
        const [name = ''] = namesOf('납부내역', { qualifier, extension: 'pdf' });
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}]/u);
        expect(name).toMatch(/^납부내역_20261201.*\.pdf$/u);
      }),
    );
  });
});
