/** How many jobs a client lets the service wait for at a time, where the caller says nothing else. */
export const DEFAULT_WAITS = 128;

/** Permits to let the service wait. Who gets none polls instead of queueing: a wait may take half a minute. */
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
