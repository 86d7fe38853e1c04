import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownEnglish } from './own-sentences.ts';

const SOURCE = join(import.meta.dirname, '..', '..');
const KOREAN = /[가-힣]/;
/** The texts of errors, also where a condition chooses one. */
const ERRORS = /(?:refused\(|message: )([^;{}]*)/g;
const TEXTS = /'([^']+)'/g;

function sentencesIn(file: string): string[] {
  const found = readFileSync(join(SOURCE, file), 'utf8').matchAll(ERRORS);
  return [...found]
    .flatMap(([, chosen = '']) => [...chosen.matchAll(TEXTS)].map(([, text = '']) => text))
    .filter((text) => KOREAN.test(text));
}

describe('what we say ourselves about a job that failed', () => {
  const files = globSync('institutions/**/*.ts', {
    cwd: SOURCE,
    exclude: ['**/*.test.ts', '**/testing/**'],
  });
  const sentences = files.flatMap(sentencesIn);

  it('exists in English for all that our connectors say (D56)', () => {
    expect(sentences.length).toBeGreaterThan(4);
    expect(sentences.filter((text) => ownEnglish(text) === undefined)).toEqual([]);
  });

  it('is nothing that an institution says (D56)', () => {
    for (const text of ['비밀번호가 일치하지 않습니다.', 'toString', '']) {
      expect(ownEnglish(text)).toBeUndefined();
    }
  });
});
