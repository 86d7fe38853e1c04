import { setFlagsFromString } from 'node:v8';
import { collectGarbage } from '../collect-garbage.ts';
import type { RunningServer } from '../server.ts';

const AFTER_MS = 1_000;

/**
 * A start runs most code a few times: optimizing that gains no time, and what V8's compilers and their threads touch
 * stays resident. So until the server rests, V8 works on the threads that run code, and optimizes what is much hotter.
 */
const STARTING = ['--efficiency-mode', '--invocation-count-for-maglev=4000'];
/** V8's defaults. */
const RESTING = ['--no-efficiency-mode', '--invocation-count-for-maglev=400'];

/** Call before the code of a server is loaded. */
export function startSparingly(): void {
  for (const flag of STARTING) setFlagsFromString(flag);
}

/** Once the start is over, returns the memory that only the start needed, on both threads. */
export function restAfterStart({ core }: Pick<RunningServer, 'core'>): void {
  const rest = () => {
    core.store.collectGarbage();
    collectGarbage();
    for (const flag of RESTING) setFlagsFromString(flag);
  };
  setTimeout(rest, AFTER_MS).unref();
}
