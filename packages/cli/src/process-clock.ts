import type { Clock } from '@changgu/sdk';

const startedAt = Date.now();
const startedOn = process.hrtime.bigint();

/** Time that never goes back. `performance` tells it, too, and takes longer to load than a request to be sent. */
export const processClock: Clock = {
  now: () => startedAt + Number((process.hrtime.bigint() - startedOn) / 1_000_000n),
  setTimeout: (callback, milliseconds) =>
    setTimeout(callback, Math.min(milliseconds, MAX_TIMER_MS)),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Longer delays overflow into 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;
