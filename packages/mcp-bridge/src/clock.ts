import type { Clock } from '@changgu/sdk';

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** ISO 8601, in UTC. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Calls repeatedly until the returned function is called. */
export function every(clock: Clock, milliseconds: number, tick: () => void): () => void {
  const next = () => clock.setTimeout(run, milliseconds);
  const run = () => {
    timer = next();
    tick();
  };
  let timer = next();
  return () => clock.clearTimeout(timer);
}
