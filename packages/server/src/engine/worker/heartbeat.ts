import { faultOf } from '../../failures/fault.ts';
import type { EngineStore } from '../../store/queue/engine-scripts.ts';
import { repeat } from '../../timers.ts';
import { type HeldJob, isDoubtful, type Leasing } from '../held-jobs.ts';
import type { EngineLog } from '../run-dependencies.ts';

/** Fractions of the lease: how often it is renewed and how often its age is checked. */
const BEAT_SHARE = 1 / 3;
const WATCH_SHARE = 1 / 12;

/**
 * Renews the leases of all held jobs, learns of cancellations and lost leases, and stops jobs that have gone
 * too long without renewal, even while a heartbeat hangs.
 */
export function startHeartbeat(
  held: ReadonlyMap<string, HeldJob>,
  store: Pick<EngineStore, 'heartbeat'>,
  leasing: Leasing,
  log: EngineLog,
): () => Promise<void> {
  const { owner, leaseMs, timers } = leasing;

  async function beat(): Promise<void> {
    const jobs = [...held.values()];
    if (jobs.length === 0) return;
    const sent = timers.monotonic();
    try {
      const ids = jobs.map(({ job }) => job.id);
      const rows = await store.heartbeat({ owner, ids, leaseMs });
      const answered = new Map(rows.map((row) => [row.id, row.cancelRequested]));
      for (const each of jobs) {
        const cancelRequested = answered.get(each.job.id);
        if (cancelRequested === undefined) each.stop('lost');
        else each.leasedAt = sent;
        if (cancelRequested) each.stop('canceled');
      }
    } catch (error) {
      log.warn({ fault: faultOf(error) }, 'heartbeat failed');
    }
  }

  function watch(): void {
    const now = timers.monotonic();
    for (const each of held.values()) if (isDoubtful(each, now, leaseMs)) each.stop('lost');
  }

  const stopBeat = repeat(timers, () => leaseMs * BEAT_SHARE, beat);
  const stopWatch = repeat(
    timers,
    () => leaseMs * WATCH_SHARE,
    async () => watch(),
  );
  return async () => {
    await Promise.all([stopBeat(), stopWatch()]);
  };
}
