import type { CatalogueAction } from '@changgu/contract/catalogue';
import { EVENT_RETENTION_MS } from '../store/events/purge-events.ts';
import type { BreakerStore } from '../store/queue/breakers.ts';
import type { EngineStore } from '../store/queue/engine-scripts.ts';
import { JOB_RETENTION_MS } from '../store/queue/lanes.ts';
import type { StalledLanes } from '../store/queue/sweeps.ts';

type SweepStore = Pick<
  EngineStore,
  | 'findDue'
  | 'endDue'
  | 'findStalledLanes'
  | 'healLane'
  | 'purgeJobs'
  | 'purgeAllAccountsKeys'
  | 'purgeArtifactBytes'
  | 'purgePortalSessions'
  | 'noteExpiringArtifacts'
  | 'noteExpiringLinks'
  | 'purgeEvents'
  | 'purgeDeliveries'
  | 'sumStoredBytes'
>;

export interface SweepDependencies {
  readonly store: SweepStore;
  readonly breakers: Pick<BreakerStore, 'nominateTrials'>;
  readonly actions: ReadonlyMap<string, Pick<CatalogueAction, 'irreversible'>>;
  readonly leaseMs: number;
  /** How long ended jobs are kept. */
  readonly retentionMs?: number;
  /** How long events are kept. */
  readonly eventRetentionMs?: number;
}

export interface Sweeper {
  /**
   * Ends jobs past their time or lost for ever, and lets closed institutions be tried: every second.
   * When stopped, it leaves the rest to the next sweep of whoever lives.
   */
  endDue(stop?: AbortSignal): Promise<void>;
  /** Heals lanes, tells what expires soon, and removes what has been kept long enough: every minute. */
  tidy(stop?: AbortSignal): Promise<void>;
}

/** What any process does for all: safe to run in several at once, and again after a crash. */
export function createSweeper(dependencies: SweepDependencies): Sweeper {
  const { store, breakers, actions, leaseMs } = dependencies;
  const { retentionMs = JOB_RETENTION_MS, eventRetentionMs = EVENT_RETENTION_MS } = dependencies;
  return {
    async endDue(stop) {
      // Each round ends at least one job, or there is nothing left to end.
      for (let ended = 1; ended > 0 && !stop?.aborted; ) {
        ended = 0;
        for (const { id, lane, action } of await store.findDue({ leaseMs })) {
          if (stop?.aborted) return;
          const irreversible = actions.get(action)?.irreversible ?? false;
          if (await store.endDue({ id, lane, irreversible, leaseMs })) ended += 1;
        }
      }
      if (!stop?.aborted) await breakers.nominateTrials();
    },
    async tidy(stop) {
      for (let after: string | null = ''; after !== null && !stop?.aborted; ) {
        const page: StalledLanes = await store.findStalledLanes({ after });
        for (const lane of page.stalled) await store.healLane({ lane });
        after = page.next;
      }
      const rounds = [
        store.noteExpiringArtifacts,
        store.noteExpiringLinks,
        store.purgeArtifactBytes,
        () => store.purgeJobs(retentionMs),
        () => store.purgeAllAccountsKeys(retentionMs),
        store.purgePortalSessions,
        () => store.purgeEvents(eventRetentionMs),
        store.purgeDeliveries,
        store.sumStoredBytes,
      ];
      for (const round of rounds) while (!stop?.aborted && (await round()));
    },
  };
}
