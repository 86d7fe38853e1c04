import { setFlagsFromString } from 'node:v8';
import { collectGarbage } from '../collect-garbage.ts';
import type { RunningServer } from '../composition/server.ts';

const AFTER_MS = 1_000;

/**
 * A start runs most code a few times: optimizing that gains no time, and what V8's compilers touch for it stays
 * resident. So until the server rests, V8 leaves out the largest (TurboFan), and waits longer before it uses the other.
 */
const STARTING = ['--no-opt', '--invocation-count-for-maglev=4000'];
/** V8's defaults. */
const RESTING = ['--opt', '--invocation-count-for-maglev=400'];

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
