import { loadSending } from '#sending';
import type { ClientOptions } from './client-options.ts';
import type { SharedParts } from './shared-parts.ts';

/** What a client and those derived from it send with: made by the first call of any of them. */
export class SharedSending {
  readonly #options: ClientOptions;
  #parts: Promise<SharedParts> | null = null;

  /** @param options those of the first client */
  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Loaded once for all of them. */
  parts(): Promise<SharedParts> {
    this.#parts ??= this.#load();
    return this.#parts;
  }

  /** Closes idle connections once the calls in progress have finished. */
  async close(): Promise<void> {
    await (await this.#parts)?.transport.close();
  }

  async #load(): Promise<SharedParts> {
    const loading = loadSending();
    // No timer shows it, so a clock of a test would move on meanwhile.
    const { SharedParts } = await (this.#options.clock?.hold?.(loading) ?? loading);
    return new SharedParts(this.#options);
  }
}
