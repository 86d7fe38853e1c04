import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface Health extends Camel.HealthResponse {}
export interface TestClock extends Camel.TestClockAdvanceResponse {}

/** The service itself. */
export class System {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Is the service up, with its store? Needs no credentials. */
  health(options?: RequestOptions): Reply<Health> {
    return this.#caller.call('health', {}, options);
  }

  /** Is the process alive? */
  live(options?: RequestOptions): Reply<Health> {
    return this.#caller.call('healthLive', {}, options);
  }

  /** May requests be sent here? Not while it drains. @throws ServerError SERVICE_UNAVAILABLE */
  ready(options?: RequestOptions): Reply<Health> {
    return this.#caller.call('healthReady', {}, options);
  }

  /**
   * Moves business time forward. A dev server only, with an admin token.
   * @see docs/specification/operation.md#d133
   */
  advanceTestClock(seconds: number, options?: RequestOptions): Reply<TestClock> {
    return this.#caller.call('advanceTestClock', { body: { seconds } }, options);
  }
}
