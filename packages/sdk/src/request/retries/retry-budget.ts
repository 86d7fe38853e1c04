/**
 * A token bucket per client: a retry costs a token, a retried call that succeeds returns its tokens, and every call
 * earns a fraction of one. A burst that meets one failure is retried completely; while a service is down, all clients
 * together add at most that fraction of load instead of multiplying it.
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
    this.#add(this.#ratio);
  }

  /** Takes one retry; false when there is none left. */
  spend(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Returns what a call spent before it succeeded. */
  refund(retries: number): void {
    this.#add(retries);
  }

  #add(tokens: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + tokens);
  }
}
