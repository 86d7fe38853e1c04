import type { Camel, ReceiptJwks } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';

/** What a receipt says about its job. */
export interface ReceiptStatement extends Camel.ReceiptStatement {}
export interface Receipt extends Camel.Receipt {}
export interface ReceiptPage extends Camel.ReceiptListResponse {}
/** The public keys that verify receipts: an unmodified JSON Web Key Set. */
export type ReceiptKeys = ReceiptJwks;
export type ReceiptListQuery = NonNullable<OperationInput<'listReceipts'>['query']>;

/** Signed proof of acts that took effect at institutions. Verify it with `verifyReceipts`, or with any JOSE library. */
export class Receipts {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The receipt of a job that ended after its point of no return.
   * @throws NotFoundError RECEIPT_NOT_FOUND, JOB_NOT_FOUND
   */
  get(jobId: string, options?: RequestOptions): Reply<Receipt> {
    return this.#caller.call('readReceipt', { path: { jobId } }, options);
  }

  /** One page in the order of their numbers; `cursor` may be the number of the last receipt that you have. */
  list(query: ReceiptListQuery = {}, options?: RequestOptions): Reply<ReceiptPage> {
    return this.#caller.call('listReceipts', { query }, options);
  }

  /** All receipts in the order of their numbers. */
  each(
    query: ReceiptListQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<Receipt, void, void> {
    return eachItem((place) => this.list({ ...query, ...place }, options));
  }

  /** The keys that verify receipts. Keep them with the receipts, and both can be checked offline. */
  keys(options?: RequestOptions): Reply<ReceiptKeys> {
    return this.#caller.call('readReceiptKeys', {}, options);
  }
}
