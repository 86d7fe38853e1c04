/** How many jobs a client lets the service wait for at the same time by default. */
export const DEFAULT_WAITS = 128;

/** Permits to let the service wait. Without one, a caller polls instead of queueing, because a wait may take half a minute. */
export class WaitSlots {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** False when all are taken. */
  take(): boolean {
    if (this.#free < 1) return false;
    this.#free -= 1;
    return true;
  }

  release(): void {
    this.#free += 1;
  }
}
