import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactName } from './artifact-name.ts';

/** One in the morning of 1 December in Korea, still November elsewhere. */
const NOW = Date.parse('2026-11-30T16:00:00Z');

describe('artifact names (D71)', () => {
  it('task, day in Korea and qualifier', () => {
    expect(artifactName({ task: '납부내역', extension: 'pdf' }, NOW)).toBe('납부내역_20261201.pdf');
    const qualified = { task: '고지서', qualifier: ' 2026 10 ', extension: 'xlsx' };
    expect(artifactName(qualified, NOW)).toBe('고지서_20261201_2026_10.xlsx');
  });

  it.each(['', '  ', '\u0000', '/'])(
    'have an extension where the file has %j (R43)',
    (extension) => {
      expect(artifactName({ task: '보고서', extension }, NOW)).toBe('보고서_20261201.bin');
    },
  );

  it('fit every file system, whatever an institution calls them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (qualifier) => {
        const name = artifactName({ task: '납부내역', qualifier, extension: 'pdf' }, NOW);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}]/u);
        expect(name).toMatch(/^납부내역_20261201.*\.pdf$/u);
      }),
    );
  });
});
