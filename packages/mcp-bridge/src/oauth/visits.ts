import type { HttpExchange } from '../server/http-exchange.ts';

interface Kept<V> {
  readonly visit: V;
  /** Calls whose answers are not complete. */
  running: number;
}

/** Callers whose state is kept. */
const MAX_CALLERS = 100;

/** The state of each caller. The least recent one without a running call is forgotten first. */
export class Visits<V extends { readonly exchange: Pick<HttpExchange, 'close'> }> {
  readonly #kept = new Map<string, Kept<V>>();
  readonly #onerror: (error: Error) => void;
  readonly #max: number;

  constructor(onerror: (error: Error) => void, max = MAX_CALLERS) {
    this.#onerror = onerror;
    this.#max = max;
  }

  /**
   * Answers within the visit of a caller, which stays until the answer has been read.
   * @param listens the answer is an endless stream, for which no visit stays
   */
  async during(
    key: string,
    open: () => V,
    answer: (visit: V) => Promise<Response>,
    listens = false,
  ): Promise<Response> {
    const kept = this.#kept.get(key) ?? { visit: open(), running: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.running += 1;
    this.#forgetIdle();
    const end = () => {
      kept.running -= 1;
      this.#forgetIdle();
    };
    try {
      const response = await answer(kept.visit);
      if (!listens && response.body !== null) return untilRead(response, response.body, end);
      end();
      return response;
    } catch (error) {
      end();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ visit }) => visit.exchange.close()));
  }

  #forgetIdle(): void {
    for (const [key, { visit, running }] of this.#kept) {
      if (this.#kept.size <= this.#max) return;
      if (running > 0) continue;
      this.#kept.delete(key);
      // What it still listens to ends, so that it connects again instead of hearing nothing.
      visit.exchange.close().catch(this.#onerror);
    }
  }
}

/** The same answer; `end` is called once its body was read, failed or was given up. */
function untilRead(
  response: Response,
  body: NonNullable<Response['body']>,
  end: () => void,
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  // The reader of the answer sees a failure too.
  void body.pipeTo(writable).then(end, end);
  return new Response(readable, response);
}
