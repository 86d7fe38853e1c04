import type { Pool } from '../../rules/claiming/pool.ts';
import type { Claim, ClaimInput } from '../../store/queue/claims.ts';
import type { EngineStore } from '../../store/queue/engine-scripts.ts';

export interface WaitingClaims {
  claim(input: ClaimInput): Promise<Claim>;
  /** Has a claim of the pool that is under way answered without waiting, for more may be found by another. */
  recall(pool: Pool): void;
}

/** A worker's claims, one of each pool at a time, which may wait where the database is until a job is ready. */
export function createWaitingClaims(
  store: Pick<EngineStore, 'claim'>,
  recallClaims: (pool: Pool) => void,
): WaitingClaims {
  /** Those not recalled yet: once is enough. */
  const underWay = new Set<Pool>();
  return {
    async claim(input) {
      underWay.add(input.pool);
      try {
        return await store.claim({ ...input, mayWait: true });
      } finally {
        underWay.delete(input.pool);
      }
    },
    recall(pool) {
      if (underWay.delete(pool)) recallClaims(pool);
    },
  };
}
