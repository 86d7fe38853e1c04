import { operations } from '@changgu/contract/schemas';
import { expect, it } from 'vitest';
import { shapeCheck } from './shape-check.ts';

/** As much as fits into the smallest body. */
const LENGTH = 16_000;
/** Far above what one pass over such a text takes, and far below one pass for each of its characters. */
const MAX_MS = 100;

/** What a pattern may take for the beginning of a match, and what few of them take at the end. */
const BEGINNINGS = ['', 'a', 'a@', 'a@a.', 'https://', 'https://a/', '2026-01-01T'];
const REPEATED = [
  'a',
  'A',
  '0',
  ' ',
  '\u3164',
  '가',
  '-',
  '.',
  '_',
  'a.',
  'a-',
  '0-',
  '.v1',
  '%41',
];
const ENDS = ['\u007f', '!', '@'];

/** Each pattern and format by which requests are checked. */
function* formsOf(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const { pattern, format }: { pattern?: unknown; format?: unknown } = schema;
  if (typeof pattern === 'string') yield JSON.stringify({ pattern });
  if (typeof format === 'string') yield JSON.stringify({ format });
  for (const part of Object.values(schema)) yield* formsOf(part);
}

const requests = Object.values(operations).flatMap((group) =>
  Object.values(group).map(({ body, query, params }) => [body, query, params]),
);

/** Of this process, so that other programs do not count; again if something else of it may have counted. */
function isSlow(work: () => void, tries = 3): boolean {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 > MAX_MS && (tries === 1 || isSlow(work, tries - 1));
}

it('every field reads a long text once, however it ends (D88)', () => {
  const forms = [...new Set(formsOf(requests))];
  expect(forms.length).toBeGreaterThan(10);
  const slow = forms.filter((form) => {
    const check = shapeCheck({ type: 'string', ...JSON.parse(form) }, []);
    return BEGINNINGS.some((beginning) =>
      REPEATED.some((part) =>
        ENDS.some((end) => {
          const text = `${beginning}${part.repeat(LENGTH / part.length)}${end}`;
          return isSlow(() => check(text));
        }),
      ),
    );
  });
  expect(slow).toEqual([]);
});
