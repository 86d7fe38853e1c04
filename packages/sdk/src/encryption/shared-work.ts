import { untilAborted } from '../request/until-aborted.ts';

/** Work that several wait for, each until its own signal aborts. It ends when the last of them has left. */
export class SharedWork<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#controller.signal);
  }

  /** No one waits for it any longer. */
  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  async join(signal: AbortSignal): Promise<T> {
    this.#waiting += 1;
    try {
      return await untilAborted(this.#result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort();
    }
  }
}
