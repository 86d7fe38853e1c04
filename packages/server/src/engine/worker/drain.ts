import { faultOf } from '../../failures/fault.ts';
import type { EngineStore } from '../../store/queue/engine-scripts.ts';
import { pause, type Timers } from '../../timers.ts';
import type { HeldJob } from '../held-jobs.ts';
import type { EngineLog } from '../run-dependencies.ts';
import type { RunningJobs } from './running-jobs.ts';

/** How long a stopped run may take to write down how far it got. */
const GIVING_UP_MS = 2_000;

interface DrainOptions {
  readonly owner: string;
  readonly store: Pick<EngineStore, 'release'>;
  readonly timers: Timers;
  readonly shutdownMs: number;
  readonly log: EngineLog;
}

/**
 * Waits for reads as long as configured, then gives up those before the point of no return, and waits for the
 * rest until another worker's sweep may end them.
 */
export async function drain(options: DrainOptions, { held, runs }: RunningJobs): Promise<void> {
  const { owner, store, timers, shutdownMs, log } = options;
  const ended = (jobs: Iterable<HeldJob>) =>
    Promise.allSettled([...jobs].flatMap((each) => runs.get(each) ?? []));
  await within(timers, shutdownMs, ended(runs.keys()));
  const given = [...held.values()].filter((each) => !each.pastPoint());
  for (const each of given) each.stop('shutdown');
  await within(timers, GIVING_UP_MS, ended(given));
  if (given.length > 0) {
    const released = store.release({ owner, ids: given.map(({ job }) => job.id) });
    // Their leases expire on their own, a little later.
    await released.catch((error: unknown) =>
      log.warn({ fault: faultOf(error) }, 'the jobs of a stopping worker could not be released'),
    );
  }
  const last = Math.max(
    0,
    ...[...runs.keys()].map((each) => each.abandonedAt - timers.monotonic()),
  );
  await within(timers, last, ended(runs.keys()));
  for (const each of runs.keys()) each.stop('lost');
  await within(timers, GIVING_UP_MS, ended(runs.keys()));
}

/** Waits for something, but not longer than this. */
async function within(timers: Timers, ms: number, awaited: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([awaited, pause(timers, ms, over.signal).catch(() => {})]);
  over.abort();
}
