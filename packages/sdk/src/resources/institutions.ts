import type { InstitutionListResponse, InstitutionRecord } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Camelized } from '../wire-case.ts';

export interface Institution extends Camelized<InstitutionRecord> {}
export interface InstitutionList extends Camelized<InstitutionListResponse> {}

/**
 * The institutions as they are doing now.
 * @see docs/specification/institutions.md#d139
 */
export class Institutions {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  list(options?: RequestOptions): Promise<InstitutionList> {
    return this.#caller.call('listInstitutions', {}, options);
  }
}
