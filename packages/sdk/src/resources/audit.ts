import type { Camel } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';

export interface AuditPage extends Camel.AuditListResponse {}
export interface AuditEntry extends Camel.AuditEntry {}
export type OwnAuditQuery = NonNullable<OperationInput<'listOwnAudit'>['query']>;

/** The organization's audit log. Needs a console token of an owner or administrator. */
export class Audit {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** One page, newest first. */
  list(query: OwnAuditQuery = {}, options?: RequestOptions): Reply<AuditPage> {
    return this.#caller.call('listOwnAudit', { query }, options);
  }

  /** All matching records, newest first, page by page. */
  each(
    query: OwnAuditQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<AuditEntry, void, void> {
    return eachItem((place) => this.list({ ...query, ...place }, options));
  }
}
