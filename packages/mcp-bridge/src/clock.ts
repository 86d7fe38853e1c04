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

/** Institutions count days in Korea. */
export function koreanDay(clock: Clock): { readonly today: string; readonly time_zone: string } {
  const today = new Date(clock.now() + 9 * 3_600_000).toISOString().slice(0, 10);
  return { today, time_zone: 'Asia/Seoul' };
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
