import { AbortedError } from '../errors/transport-errors.ts';
import type { Clock } from './clock.ts';

/** Sleeps, or rejects in the same tick in which the signal aborts. Leaves no listener behind. */
export function sleep(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(new AbortedError(signal.reason));
      return;
    }
    const onAbort = () => {
      clock.clearTimeout(timer);
      reject(new AbortedError(signal?.reason));
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
