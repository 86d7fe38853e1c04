import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface Institution extends Camel.InstitutionRecord {}
export interface InstitutionList extends Camel.InstitutionListResponse {}

/**
 * The current state of the institutions.
 * @see docs/specification/institutions.md#d139
 */
export class Institutions {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  list(options?: RequestOptions): Reply<InstitutionList> {
    return this.#caller.call('listInstitutions', {}, options);
  }
}
