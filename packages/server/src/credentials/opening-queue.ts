import pLimit, { type LimitFunction } from 'p-limit';
import { ServiceError } from '../rules/service-error.ts';

/** One under way and these behind it: whoever links by hand never has more. */
const MAX_WAITING = 4;
const RETRY_AFTER_SECONDS = 5;

/** Opening certificates costs what the upload says: one at a time for each organization, so that none waits for another. */
export interface OpeningQueue {
  /**
   * @param gone aborted when the caller no longer waits; what has not begun is then dropped
   * @throws ServiceError RATE_LIMITED when too many of the organization wait
   */
  run<T>(organizationId: number, gone: AbortSignal, open: () => Promise<T>): Promise<T>;
}

export function createOpeningQueue(): OpeningQueue {
  const queues = new Map<number, LimitFunction>();

  function queueOf(organizationId: number): LimitFunction {
    const queue = queues.get(organizationId) ?? pLimit(1);
    queues.set(organizationId, queue);
    return queue;
  }

  return {
    async run(organizationId, gone, open) {
      const queue = queueOf(organizationId);
      if (queue.activeCount + queue.pendingCount > MAX_WAITING) throw tooMany();
      try {
        return await queue(async () => {
          if (gone.aborted) throw tooMany();
          return open();
        });
      } finally {
        if (queue.activeCount + queue.pendingCount === 0) queues.delete(organizationId);
      }
    },
  };
}

function tooMany(): ServiceError {
  return new ServiceError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
