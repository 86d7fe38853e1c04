import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 500;
/** On a machine that others keep busy, waiting longer would not help. */
const MAX_LOOKS = 40;
/** Of one processor. */
const BUSY = 0.2;

/** Waits, at most 20 seconds, until the work that a load left behind is done: PostgreSQL vacuums, for one, after it. */
export async function untilQuiet(): Promise<void> {
  let before = busyMs();
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    await pause(LOOK_MS);
    const now = busyMs();
    if (now - before < BUSY * LOOK_MS) return;
    before = now;
  }
}

/** What all processors together have worked. */
function busyMs(): number {
  return cpus().reduce(
    (sum, { times }) => sum + times.user + times.nice + times.sys + times.irq,
    0,
  );
}
