import type { Clock } from '@changgu/sdk';

const KST_OFFSET_MS = 9 * 3_600_000;

/** Tells people the time and the day, so it follows the machine's: the SDK's stands still while a laptop sleeps. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Written as the service writes its times. */
export function timestamp(clock: Clock): string {
  return inKorea(clock).replace('Z', '+09:00');
}

/** Institutions count days in Korea. */
export function koreanDay(clock: Clock): { readonly today: string; readonly time_zone: string } {
  return { today: inKorea(clock).slice(0, 10), time_zone: 'Asia/Seoul' };
}

function inKorea(clock: Clock): string {
  return new Date(clock.now() + KST_OFFSET_MS).toISOString();
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
