import type { Store } from '../../store/database.ts';
import type { DeliveryOutcome } from '../../store/webhooks/courier-scripts.ts';
import { singleFlight } from '../../timers.ts';

const WRITTEN_AT_ONCE = 500;

interface Waiting {
  readonly outcome: DeliveryOutcome;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Records attempts; those that end together share a transaction. */
export function createOutcomeWriter(store: Pick<Store, 'webhookCouriers'>) {
  let waiting: Waiting[] = [];
  const rounds = singleFlight(async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, WRITTEN_AT_ONCE);
      waiting = waiting.slice(WRITTEN_AT_ONCE);
      try {
        await store.webhookCouriers.finish(batch.map(({ outcome }) => outcome));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
  });
  return {
    /** Resolves when the attempt is recorded. */
    write(outcome: DeliveryOutcome): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ outcome, done: resolve, failed: reject });
      rounds.call();
      return promise;
    },
  };
}

export type OutcomeWriter = ReturnType<typeof createOutcomeWriter>;
