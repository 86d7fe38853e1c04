import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { progressIn } from './progress-texts.ts';

const SOURCE = join(import.meta.dirname, '..', '..');
const KOREAN = /[가-힣]/;
/** Sentences in the calls of `progress`, the steps of lists, and the texts of jobs that wait. */
const SENTENCES =
  /(?:progress\([^'`;]*|step(?::| = list\.step \?\?) |^(?:export )?const \w+ = )['`]([^'`]+)/gm;

function sentencesIn(file: string): string[] {
  const found = readFileSync(join(SOURCE, file), 'utf8').matchAll(SENTENCES);
  return [...found]
    .map(([, text = '']) => text.replace(/\$\{\w+\}/, '3'))
    .filter((text) => KOREAN.test(text));
}

describe('the words for a step of a job', () => {
  const files = [
    ...globSync('institutions/**/*.ts', { cwd: SOURCE, exclude: ['**/*.test.ts'] }),
    'rules/jobs/progress.ts',
  ];
  const sentences = files.flatMap(sentencesIn).filter((text) => /습니다( \(3쪽\))?$/.test(text));

  it('exist in English for all that our connectors and the queue say', () => {
    expect(sentences.length).toBeGreaterThan(40);
    expect(sentences.filter((text) => KOREAN.test(progressIn('en', text)))).toEqual([]);
  });

  it('stay as they are for readers of Korean', () => {
    expect(sentences.map((text) => progressIn('ko', text))).toEqual(sentences);
  });

  it('keep the number of the page', () => {
    expect(progressIn('en', '거래내역을 읽고 있습니다 (12쪽)')).toBe(
      'Reading the transactions (page 12)',
    );
  });

  it('stay as they are where another connector wrote them', () => {
    for (const text of ['조합원 명부를 읽고 있습니다', 'Reading', 'toString', '']) {
      expect(progressIn('en', text)).toBe(text);
    }
  });
});
