import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

/** Your identity and plan, and the remaining quota and rate limit. */
export interface MembershipInfo extends Camel.MembershipResponse {}

export class Membership {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Uses one token of the process rate limit and no quota. */
  me(options?: RequestOptions): Reply<MembershipInfo> {
    return this.#caller.call('readMembership', {}, options);
  }
}
