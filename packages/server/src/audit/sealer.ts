import { SEALED_AT_ONCE } from '../store/audit/chain-scripts.ts';
import type { Store } from '../store/database.ts';

/** How many rows below the highest sealed one a new process checks again. */
const LOOKED_AT_AGAIN = 10_000;
/** No transaction stays open longer, so no row with a lower id can appear after this time. */
const SETTLED_AFTER_MS = 15_000;

/**
 * Adds audit rows to the chains of their organizations shortly after they were written. With concurrent
 * writers, ids follow the start of transactions and visibility follows their commit, so the latest ids are
 * checked again until they have settled. With a single writer the last id is always settled.
 * Each round returns whether there is more to seal.
 */
export function createSealer(
  { audit, dialect }: Pick<Store, 'audit' | 'dialect'>,
  monotonic: () => number,
): () => Promise<boolean> {
  let settled: number | null = null;
  let candidate = { id: 0, at: 0 };

  return async () => {
    settled ??= Math.max(0, (await audit.sealedUpTo()) - LOOKED_AT_AGAIN);
    while (await audit.hasUnsealed({ after: settled })) {
      const { sealed, highest } = await audit.seal({ after: settled });
      const now = monotonic();
      if (dialect === 'sqlite') settled = highest ?? settled;
      else if (now - candidate.at > SETTLED_AFTER_MS) {
        settled = Math.max(settled, candidate.id);
        candidate = { id: highest ?? candidate.id, at: now };
      }
      // The rest waits for the next round, so that sealing takes little from the writers.
      if (sealed === SEALED_AT_ONCE) return true;
    }
    return false;
  };
}
