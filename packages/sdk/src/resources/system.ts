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

  /** Whether the service and its store are up. Needs no credentials. */
  health(options?: RequestOptions): Reply<Health> {
    return this.#caller.call('health', {}, options);
  }

  /** Whether the process is alive. */
  live(options?: RequestOptions): Reply<Health> {
    return this.#caller.call('healthLive', {}, options);
  }

  /** Whether requests can be sent here; not while it is draining. @throws ServerError SERVICE_UNAVAILABLE */
  ready(options?: RequestOptions): Reply<Health> {
    return this.#caller.call('healthReady', {}, options);
  }

  /**
   * Moves business time forward. Dev servers only, with an admin token.
   * @see docs/specification/operation.md#d133
   */
  advanceTestClock(seconds: number, options?: RequestOptions): Reply<TestClock> {
    return this.#caller.call('advanceTestClock', { body: { seconds } }, options);
  }
}
