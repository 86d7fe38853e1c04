import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { meaningOf } from './korean-sentences.ts';
import { SEEN } from './seen-sentences.ts';
import { WORDED_AT_LOGIN } from './worded-at-login.ts';
import { WORDED } from './worded-sentences.ts';

type Sentences = Readonly<Record<string, readonly string[]>>;

const casesOf = (sentences: Sentences) =>
  Object.entries(sentences).flatMap(([meaning, each]) =>
    each.map((sentence) => ({ sentence, meaning: meaning === 'unknown' ? null : meaning })),
  );

const seen = SEEN.flatMap(({ sentences }) => casesOf(sentences));
const worded = casesOf(WORDED);
const atLogin = casesOf(WORDED_AT_LOGIN);
const cases = [...seen, ...worded];

describe('meaningOf', () => {
  it.each(seen)(
    'reads "$sentence", which a public file shows, as $meaning',
    ({ sentence, meaning }) => {
      expect(meaningOf(sentence)).toBe(meaning);
    },
  );

  it.each(worded)('reads "$sentence" as $meaning', ({ sentence, meaning }) => {
    expect(meaningOf(sentence)).toBe(meaning);
  });

  it.each(atLogin)(
    'reads "$sentence" in the answer to a login as $meaning (D51, D165)',
    ({ sentence, meaning }) => {
      expect(meaningOf(sentence, 'login')).toBe(meaning);
    },
  );

  it('reads in the answer to a login what it reads elsewhere, where a sentence has one reason (D51)', () => {
    const changed = cases.filter(
      ({ sentence, meaning }) => meaningOf(sentence, 'login') !== meaning,
    );
    expect(changed).toEqual([]);
  });

  it('is judged by at least 150 sentences that were seen somewhere, all different', () => {
    const sentences = [...cases, ...atLogin].map(({ sentence }) => sentence);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(seen.length).toBeGreaterThanOrEqual(150);
    for (const { repository, path, commit } of SEEN) {
      expect([repository, path, commit]).toEqual([
        expect.stringMatching(/^[\w-]+\/[\w-]+$/),
        expect.stringMatching(/^src\//),
        expect.stringMatching(/^[0-9a-f]{40}$/),
      ]);
    }
  });

  it('is judged by what portals print, and by nothing that our simulators say', () => {
    const source = join(import.meta.dirname, '..', '..', '..', '..', 'simulators', 'src');
    const simulators = globSync('**/*.ts', { cwd: source })
      .map((name) => readFileSync(join(source, name), 'utf8'))
      .join('\n');
    const own = [...cases, ...atLogin].filter(({ sentence }) =>
      simulators.includes(sentence.replace(/[.!]$/, '')),
    );
    expect(own).toEqual([]);
  });

  it('reads a sentence without its spaces in the same way', () => {
    const changed = cases.filter(
      ({ sentence, meaning }) => meaningOf(sentence.replaceAll(/\s/g, '')) !== meaning,
    );
    expect(changed).toEqual([]);
    const changedAtLogin = atLogin.filter(
      ({ sentence, meaning }) => meaningOf(sentence.replaceAll(/\s/g, ''), 'login') !== meaning,
    );
    expect(changedAtLogin).toEqual([]);
  });
});
