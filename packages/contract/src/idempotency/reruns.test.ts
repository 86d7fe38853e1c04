import { describe, expect, it } from 'vitest';
import { freesKey, keyOfRun, submitNextRun } from './reruns.ts';

/** Which keys a call tries when the first of its runs have freed theirs. */
async function keysTried(freed: number): Promise<string[]> {
  const keys: string[] = [];
  await submitNextRun('k', async (key) => ({ isFreed: keys.push(key) <= freed }));
  return keys;
}

describe('a key', () => {
  it.each([
    ['FAILED', 'no', true],
    ['TIMEOUT', 'no', true],
    ['CANCELED', 'no', false],
    ['FAILED', 'unknown', false],
    ['TIMEOUT', 'unknown', false],
    ['SUCCEEDED', 'yes', false],
    ['SUCCEEDED', 'no', false],
    ['RUNNING', 'no', false],
    ['FAILED', undefined, false],
  ] as const)(
    'of a job that ended %s with the effect %s is freed: %s (D125)',
    (status, hadEffect, frees) => {
      expect(freesKey({ status, hadEffect })).toBe(frees);
    },
  );

  it('is followed by those of the next runs, the same for everyone', async () => {
    expect(await keysTried(0)).toEqual(['k']);
    expect(await keysTried(2)).toEqual(['k', 'k~1', 'k~2']);
  });

  it('has an end of runs, and none that the service would refuse', async () => {
    expect(await keysTried(Number.POSITIVE_INFINITY)).toHaveLength(21);
    expect(keyOfRun('k'.repeat(127), 1)).toBeNull();
    expect(keyOfRun('k'.repeat(126), 1)).toHaveLength(128);
  });
});
