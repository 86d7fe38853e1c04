import type { Cli } from './cli.ts';
import { CliError } from './cli-error.ts';
import { EXIT } from './exit-codes.ts';
import { processClock } from './process-clock.ts';

/**
 * Limits work to --timeout as a whole. For streams and files, which a call's own limits end only between two pieces.
 * @throws CliError WAIT_TIMEOUT
 */
export async function withinTimeout<T>(
  { signal, timeoutMs, io, texts }: Cli,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return work(signal);
  const clock = io.clock ?? processClock;
  const late = new AbortController();
  const timer = clock.setTimeout(() => late.abort(), timeoutMs);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (signal.aborted || !late.signal.aborted) throw error;
    throw new CliError('WAIT_TIMEOUT', texts.failures.outOfTime(timeoutMs), EXIT.stillOpen, [
      '--timeout 10m',
    ]);
  } finally {
    clock.clearTimeout(timer);
  }
}
