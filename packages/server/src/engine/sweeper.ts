import type { CatalogueAction } from '@changgu/contract/catalogue';
import { type DoPart, separately, untilDone } from '../failures/separately.ts';
import type { BreakerStore } from '../store/queue/breakers.ts';
import type { EngineStore } from '../store/queue/engine-scripts.ts';
import { type KnownRuns, lasting, NOTHING_KNOWN } from '../store/queue/known-work.ts';
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
>;

export interface SweepDependencies {
  readonly store: SweepStore;
  readonly breakers: Pick<BreakerStore, 'nominateTrials'>;
  readonly actions: ReadonlyMap<string, Pick<CatalogueAction, 'irreversible'>>;
  readonly leaseMs: number;
  /** Retention of ended jobs. */
  readonly retentionMs: number;
  /** Retention of events. */
  readonly eventRetentionMs: number;
}

export interface Sweeper {
  /**
   * Every second: ends jobs that are overdue or permanently lost, and lets closed institutions be tried again.
   * When stopped, it leaves the rest to the next sweep of any process.
   */
  endDue(stop?: AbortSignal): Promise<void>;
  /** Every minute: heals lanes, announces what expires soon, and deletes what is past its retention. */
  tidy(stop?: AbortSignal): Promise<void>;
}

/** So often a sweep looks at all running jobs again, whatever it knows. */
const TIDIED_BETWEEN_FULL_LOOKS = 10;

/**
 * Work that any process does for all: safe to run in several at once and to repeat after a crash. Both calls throw
 * PartsFailed when all that did not fail is done.
 */
export function createSweeper(dependencies: SweepDependencies): Sweeper {
  const { store, breakers, actions, leaseMs } = dependencies;
  const rounds = Object.entries(roundsOf(dependencies));
  let known: KnownRuns = NOTHING_KNOWN;
  let tidied = 0;
  let lookAtAll = false;
  return {
    async endDue(stop) {
      await separately(async (doPart) => {
        await doPart('due jobs', () => endAll(doPart, stop));
        if (!stop?.aborted) await doPart('breakers', breakers.nominateTrials);
      });
    },
    async tidy(stop) {
      tidied += 1;
      if (tidied % TIDIED_BETWEEN_FULL_LOOKS === 0) lookAtAll = true;
      await separately(async (doPart) => {
        await doPart('stalled lanes', () => healLanes(doPart, stop));
        for (const [name, round] of rounds) {
          await doPart(name, () => untilDone(round, stop));
        }
      });
    },
  };

  async function endAll(doPart: DoPart, stop?: AbortSignal): Promise<void> {
    // Each round ends at least one job, or nothing is left that can be ended.
    for (let ended = 1; ended > 0 && !stop?.aborted; ) {
      ended = 0;
      const taken = lookAtAll ? NOTHING_KNOWN : known;
      // Once: should this take too long, the next call takes as known what was known before.
      lookAtAll = false;
      known = lasting(known);
      const found = await store.findDue({ leaseMs, known: taken });
      ({ known } = found);
      for (const { id, lane, action } of found.due) {
        if (stop?.aborted) return;
        const irreversible = actions.get(action)?.irreversible ?? false;
        const end = () => store.endDue({ id, lane, irreversible, leaseMs });
        if (await doPart(`job ${id}`, end)) ended += 1;
      }
    }
  }

  async function healLanes(doPart: DoPart, stop?: AbortSignal): Promise<void> {
    for (let after: string | null = ''; after !== null && !stop?.aborted; ) {
      const page: StalledLanes = await store.findStalledLanes({ after });
      for (const lane of page.stalled) {
        if (!stop?.aborted) await doPart(`lane ${lane}`, () => store.healLane({ lane }));
      }
      after = page.next;
    }
  }
}

/** Each is repeated while there may be more to do. */
function roundsOf({
  store,
  retentionMs,
  eventRetentionMs,
}: SweepDependencies): Readonly<Record<string, () => Promise<boolean>>> {
  return {
    noteExpiringArtifacts: store.noteExpiringArtifacts,
    noteExpiringLinks: store.noteExpiringLinks,
    purgeArtifactBytes: store.purgeArtifactBytes,
    purgeJobs: () => store.purgeJobs(retentionMs),
    purgeAllAccountsKeys: () => store.purgeAllAccountsKeys(retentionMs),
    purgePortalSessions: store.purgePortalSessions,
    purgeEvents: () => store.purgeEvents(eventRetentionMs),
    purgeDeliveries: store.purgeDeliveries,
  };
}
