import { isChangguError, isEndState } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';
import type { AccountLine, LineEnd } from './account-lines.ts';

/** For one request, including retries and pauses. */
const REQUEST_LIMIT_MS = 4_000;

export type ReadLine = (line: AccountLine) => Promise<AccountLine>;

/**
 * Reads how the jobs of lines ended, each once and only where it is not known.
 * @param until in the time of the bridge's clock; lines stay as they are after it
 */
export function lineReader(
  { client, clock }: Bridge,
  until: number,
  signal: AbortSignal,
): ReadLine {
  const reads = new Map<string, Promise<AccountLine>>();

  async function read(line: AccountLine, jobId: string): Promise<AccountLine> {
    const left = until - clock.now();
    if (left <= 0) return line;
    const options = { signal, totalTimeoutMs: Math.min(left, REQUEST_LIMIT_MS) };
    return { ...line, end: await endOf(jobId, line.status, options) };
  }

  async function endOf(
    jobId: string,
    status: string,
    options: { readonly signal: AbortSignal; readonly totalTimeoutMs: number },
  ): Promise<LineEnd | null> {
    const hasSucceeded = status === 'SUCCEEDED';
    try {
      return hasSucceeded
        ? { failed: null, result: await client.jobs.result(jobId, options), error: null }
        : { failed: await client.jobs.get(jobId, options), result: null, error: null };
    } catch (error) {
      if (!isChangguError(error)) throw error;
      return hasSucceeded ? { failed: null, result: null, error } : null;
    }
  }

  return async (line) => {
    const { jobId, status, end } = line;
    if (end || jobId === null || !isEndState(status)) return line;
    const known = reads.get(jobId) ?? read(line, jobId);
    reads.set(jobId, known);
    return known;
  };
}
