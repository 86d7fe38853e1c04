import type { Clock } from '../request/clock.ts';

/** How long a reader may handle what it was given before waits no longer rely on its stream. */
const GAP_MS = 250;

/**
 * What the open streams of one client say about jobs. A stream advances only while its reader asks for more, so a
 * reader that waits for a job in the body of its loop must not be what the wait depends on.
 */
export class JobChanges {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, AbortController>();
  #tells = false;
  #gap: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborts at the job's next event, or when no stream would tell. Null if none is being read. */
  next(jobId: string): AbortSignal | null {
    if (!this.#tells) return null;
    const waiting = this.#waiting.get(jobId) ?? new AbortController();
    this.#waiting.set(jobId, waiting);
    return waiting.signal;
  }

  tell(jobId: string): void {
    this.#waiting.get(jobId)?.abort();
    this.#waiting.delete(jobId);
  }

  /** Reads on in a stream. Of several streams, the one that pauses decides: waits can always ask the service. */
  async during<T>(read: () => Promise<T>): Promise<T> {
    this.#tells = true;
    this.#clock.clearTimeout(this.#gap);
    try {
      return await read();
    } finally {
      this.#clock.clearTimeout(this.#gap);
      this.#gap = this.#clock.setTimeout(() => this.#silence(), GAP_MS);
    }
  }

  #silence(): void {
    this.#tells = false;
    for (const jobId of this.#waiting.keys()) this.tell(jobId);
  }
}
