/** Writes that no one awaits one by one. They follow each other, however fast they come, and end with the first failure. */
export class WriteQueue {
  readonly #failed = new AbortController();
  #last: Promise<void> = Promise.resolve();

  /** Aborts when something could not be written, because then there is no use in what produces it. */
  get signal(): AbortSignal {
    return this.#failed.signal;
  }

  add(write: () => Promise<void>): void {
    const writeNext = async () => {
      if (!this.signal.aborted) await write();
    };
    this.#last = this.#last.then(writeNext).catch((error) => this.#failed.abort(error));
  }

  /** Waits until everything so far is written. @throws the first failure */
  async written(): Promise<void> {
    await this.#last;
    this.signal.throwIfAborted();
  }
}
