import type { Clock } from '../request/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Time that moves only when told to. Pass it as `clock` to a client, and to the fake service. */
export class VirtualClock implements Clock {
  readonly #timers = new Map<number, Timer>();
  #now: number;
  #lastId = 0;
  #held = 0;

  /** @param start milliseconds since the epoch */
  constructor(start: number = Date.parse('2026-11-21T09:00:00+09:00')) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Timers that were set and neither fired nor cleared. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  setTimeout(callback: () => void, milliseconds: number): unknown {
    this.#lastId += 1;
    this.#timers.set(this.#lastId, { at: this.#now + Math.max(0, milliseconds), callback });
    return this.#lastId;
  }

  clearTimeout(timer: unknown): void {
    if (typeof timer === 'number') this.#timers.delete(timer);
  }

  /** Keeps time still while real work runs that no timer shows, such as making a key. */
  async hold<T>(work: Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await work;
    } finally {
      this.#held -= 1;
    }
  }

  /** Moves time on and fires what is due, in order, letting the work in between settle. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await this.#settle();
    while (this.#fireNext(end)) await this.#settle();
    this.#now = Math.max(this.#now, end);
  }

  /** Jumps from timer to timer until the work is done, and gives its outcome. */
  async runUntil<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finish = () => {
      done = true;
    };
    work.then(finish, finish);
    await this.#settle();
    while (!done) {
      this.#fireNext(Number.POSITIVE_INFINITY);
      await this.#settle();
    }
    return work;
  }

  #fireNext(until: number): boolean {
    let next: [number, Timer] | null = null;
    for (const entry of this.#timers) {
      if (entry[1].at <= until && (next === null || entry[1].at < next[1].at)) next = entry;
    }
    if (!next) return false;
    const [id, { at, callback }] = next;
    this.#timers.delete(id);
    this.#now = Math.max(this.#now, at);
    callback();
    return true;
  }

  /** Lets promises, streams and real work run out before time moves. */
  async #settle(): Promise<void> {
    for (let turns = 0; turns < 4; turns = this.#held > 0 ? 0 : turns + 1) await nextTurn();
  }
}

/** As they were when this was loaded: a test runner may put its fake timers in their place later. */
const { setImmediate: atOnce, setTimeout: soon } = globalThis;
const isReal = typeof atOnce === 'function' && !('clock' in atOnce);

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (isReal) atOnce(resolve);
    else if (typeof MessageChannel === 'function') throughChannel(resolve);
    else soon(resolve, 0);
  });
}

/** The one turn of the event loop that no runner fakes. */
function throughChannel(resolve: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
}
