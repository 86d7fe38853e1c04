import type { Effect } from '../values/job-states.ts';
import { KEY_LENGTH } from './key-length.ts';

/** What is known of a job that a repeated call has found. */
interface FoundJob {
  readonly status: string | null;
  /** Omitted by services that do not say it. */
  readonly hadEffect?: Effect | undefined;
}

/** Not CANCELED: a person decided that, and a repeated call does not overrule it. */
const FAILURES: ReadonlySet<string> = new Set(['FAILED', 'TIMEOUT']);

/** A job that failed and surely changed nothing frees its key: the same call, made again, runs again. */
export function freesKey({ status, hadEffect }: FoundJob): boolean {
  return FAILURES.has(status ?? '') && hadEffect === 'no';
}

/** The service keeps one job per key, so a freed key runs on under keys that follow from it. */
const MAX_RUNS = 20;

/**
 * The key of a call's next run, the same for everyone who repeats the call.
 * @param run number of earlier runs; 0 for the key itself
 * @returns null when there is no further one
 */
export function keyOfRun(key: string, run: number): string | null {
  if (run === 0) return key;
  const next = `${key}~${run}`;
  return run > MAX_RUNS || next.length > KEY_LENGTH.max ? null : next;
}

/**
 * Submits a call under its key, and under that of the next run while the job found there has freed it.
 * @param submit says whether it found such a job
 */
export async function submitNextRun<A extends { readonly isFreed: boolean }>(
  key: string,
  submit: (key: string) => Promise<A>,
): Promise<A> {
  for (let run = 1, answer = await submit(key); ; run += 1) {
    const next = answer.isFreed ? keyOfRun(key, run) : null;
    if (next === null) return answer;
    answer = await submit(next);
  }
}
