import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchForeignCommits } from '../../src/store/backends/sqlite-foreign-commits.ts';

/** Longer than any pause between two looks. */
const A_LOOK_MS = 1_000;

describe('the look for commits of other processes', () => {
  let version: () => unknown;
  let told: number;
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    version = () => ({ data_version: 1 });
    told = 0;
    const raw = Object.create(new DatabaseSync(':memory:'), {
      isTransaction: { value: false },
      prepare: { value: () => ({ get: () => version() }) },
    });
    stop = watchForeignCommits(raw, '/nowhere/changgu.db', () => {
      told += 1;
    });
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  const fail = (errcode: number) => () => {
    throw Object.assign(new Error('no'), { errcode });
  };

  it('bears a file that another process holds, and looks again', () => {
    version = fail(5);
    vi.advanceTimersByTime(A_LOOK_MS);
    expect(told).toBe(0);
    version = () => ({ data_version: 2 });
    vi.advanceTimersByTime(A_LOOK_MS);
    expect(told).toBe(1);
  });

  it('ends the thread where the file can no longer be read', () => {
    const corrupt = 11;
    version = fail(corrupt);
    expect(() => vi.advanceTimersByTime(A_LOOK_MS)).toThrow('no');
  });
});
