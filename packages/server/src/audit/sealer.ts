import { SEALED_AT_ONCE } from '../store/audit/chain-scripts.ts';
import type { Store } from '../store/database.ts';

/** Rows below the highest sealed one that a new process looks at again. */
const LOOKED_AT_AGAIN = 10_000;
/** No transaction stays open for longer, so no row with a lower id appears later. */
const SETTLED_AFTER_MS = 15_000;

/**
 * Adds audit rows to the chains of their organizations, a moment after they were written. Where writers run
 * side by side, ids order by their beginning and transactions by their commit: the last ids are looked at
 * again until they are settled. With one writer at a time, the last id is settled already.
 * Each round answers whether there is more to seal.
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
      // The rest waits for the next round, so that sealing takes little from those who write.
      if (sealed === SEALED_AT_ONCE) return true;
    }
    return false;
  };
}
