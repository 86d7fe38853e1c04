import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { meaningOf } from './korean-sentences.ts';
import { SENTENCES } from './sentence-corpus.ts';

const cases = Object.entries(SENTENCES).flatMap(([meaning, sentences]) =>
  sentences.map((sentence) => ({ sentence, meaning: meaning === 'unknown' ? null : meaning })),
);

describe('meaningOf', () => {
  it.each(cases)('reads "$sentence" as $meaning', ({ sentence, meaning }) => {
    expect(meaningOf(sentence)).toBe(meaning);
  });

  it('is judged by at least 150 sentences, each different', () => {
    const sentences = cases.map(({ sentence }) => sentence);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(sentences.length).toBeGreaterThanOrEqual(150);
  });

  it('is judged by what portals print, and by nothing that our simulators say', () => {
    const source = join(import.meta.dirname, '..', '..', '..', '..', 'simulators', 'src');
    const simulators = globSync('**/*.ts', { cwd: source })
      .map((name) => readFileSync(join(source, name), 'utf8'))
      .join('\n');
    const own = cases.filter(({ sentence }) => simulators.includes(sentence.replace(/[.!]$/, '')));
    expect(own).toEqual([]);
  });

  it('reads a sentence without its spaces in the same way', () => {
    const changed = cases.filter(
      ({ sentence, meaning }) => meaningOf(sentence.replaceAll(/\s/g, '')) !== meaning,
    );
    expect(changed).toEqual([]);
  });
});
