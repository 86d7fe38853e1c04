import type { Middleware } from '@changgu/sdk';

/** A proxy that did not wait for the answer; the service itself never sends it. */
const REQUEST_TIMEOUT = 408;

/**
 * The keys under which the service may have accepted a request. A refusal is no proof that nothing was accepted: the
 * answer to an earlier attempt may have been lost, and the quota, for one, refuses even what would be a replay.
 */
export class PossiblyAccepted {
  readonly #keys = new Set<string>();

  /** For the calls to watch. */
  readonly middleware: Middleware = async (request, next, { idempotencyKey }) => {
    let isRefused = false;
    try {
      const answer = await next(request);
      // With a 5xx, of the service or a gateway before it, it may have been accepted all the same.
      isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== REQUEST_TIMEOUT;
      return answer;
    } finally {
      if (!isRefused && idempotencyKey !== null) this.#keys.add(idempotencyKey);
    }
  };

  has(key: string): boolean {
    return this.#keys.has(key);
  }
}
