import type { Clock } from './clock.ts';
import { untilAborted } from './until-aborted.ts';

/** Sleeps, or rejects at once when the signal aborts. Leaves neither listener nor timer behind. */
export async function sleep(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let timer: unknown;
  const slept = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, milliseconds);
  });
  try {
    await untilAborted(slept, signal);
  } finally {
    clock.clearTimeout(timer);
  }
}
