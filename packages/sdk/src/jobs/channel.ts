/** Values passed from callbacks to one `for await` reader. A slow reader misses nothing. */
export class Channel<T> {
  readonly #pending: T[] = [];
  #end: { readonly error?: unknown } | null = null;
  #wake: () => void = () => {};

  push(value: T): void {
    this.#pending.push(value);
    this.#wake();
  }

  /** Ends the channel; with an error, the reader gets it after the values. Only the first end counts. */
  close(end: { readonly error?: unknown } = {}): void {
    this.#end ??= end;
    this.#wake();
  }

  async *read(): AsyncGenerator<T, void, void> {
    for (;;) {
      yield* this.#pending.splice(0);
      if (this.#pending.length > 0) continue;
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
