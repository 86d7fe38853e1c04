/**
 * A token bucket per client: every call earns a fraction of a retry, every retry costs one. When a
 * service is down, a fleet of clients then adds at most that fraction of load instead of multiplying it.
 */
export class RetryBudget {
  readonly #ratio: number;
  readonly #burst: number;
  #tokens: number;

  /** @param ratio retries earned per call; @param burst retries that can be saved up */
  constructor({ ratio, burst }: { ratio: number; burst: number }) {
    this.#ratio = ratio;
    this.#burst = burst;
    this.#tokens = burst;
  }

  earn(): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + this.#ratio);
  }

  /** Takes one retry; false when there is none left. */
  spend(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
