import { collectGarbage } from '../collect-garbage.ts';
import type { RunningServer } from '../server.ts';

const AFTER_MS = 1_000;

/** Once the start is over, returns the memory that only the start needed, on both threads. */
export function restAfterStart({ core }: Pick<RunningServer, 'core'>): void {
  const collect = () => {
    core.store.collectGarbage();
    collectGarbage();
  };
  setTimeout(collect, AFTER_MS).unref();
}
