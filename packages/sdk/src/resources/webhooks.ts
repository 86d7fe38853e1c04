import type { Camel } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';

export interface WebhookDetails extends Camel.WebhookCreateRequest {}
export interface WebhookChanges extends Camel.WebhookUpdateRequest {}
export interface Webhook extends Camel.WebhookRecord {}
export interface CreatedWebhook extends Camel.WebhookCreateResponse {}
export interface WebhookList extends Camel.WebhookListResponse {}
export interface DeletedWebhook extends Camel.WebhookDeleteResponse {}
export interface WebhookRotation extends Camel.WebhookRotateRequest {}
export interface RotatedWebhook extends Camel.WebhookRotateResponse {}
export interface WebhookReplayRange extends Camel.WebhookReplayRequest {}
export interface AcceptedReplay extends Camel.WebhookReplayResponse {}
export interface Delivery extends Camel.WebhookDelivery {}
export interface DeliveryPage extends Camel.WebhookDeliveryListResponse {}
export type DeliveryListQuery = NonNullable<OperationInput<'listWebhookDeliveries'>['query']>;

/**
 * Endpoints that events are sent to. Needs a key issued with `manageWebhooks`, or a console token. What arrives is
 * checked with `verifyWebhook` of `@changgu/sdk/webhooks`.
 */
export class Webhooks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Has events sent to an address from now on. The secret is shown this once. */
  create(body: WebhookDetails, options?: RequestOptions): Reply<CreatedWebhook> {
    return this.#caller.call('createWebhook', { body }, options);
  }

  /** Newest first, without secrets. */
  list(options?: RequestOptions): Reply<WebhookList> {
    return this.#caller.call('listWebhooks', {}, options);
  }

  get(webhookId: string, options?: RequestOptions): Reply<Webhook> {
    return this.#caller.call('readWebhook', { path: { webhookId } }, options);
  }

  /** Changes an endpoint, or switches it off and on. */
  update(webhookId: string, body: WebhookChanges, options?: RequestOptions): Reply<Webhook> {
    return this.#caller.call('updateWebhook', { path: { webhookId }, body }, options);
  }

  /** Deletes an endpoint with its delivery log. */
  delete(webhookId: string, options?: RequestOptions): Reply<DeletedWebhook> {
    return this.#caller.call('deleteWebhook', { path: { webhookId } }, options);
  }

  /** Replaces secret and key pair; for `overlapHours` (24 unless given) the old ones sign too. */
  rotate(
    webhookId: string,
    body: WebhookRotation = {},
    options?: RequestOptions,
  ): Reply<RotatedWebhook> {
    return this.#caller.call('rotateWebhook', { path: { webhookId }, body }, options);
  }

  /** Sends a `webhook.test` event to this endpoint, once. `deliveries` shows what became of it. */
  test(webhookId: string, options?: RequestOptions): Reply<Delivery> {
    return this.#caller.call('testWebhook', { path: { webhookId } }, options);
  }

  /** One page of what was sent, newest first. */
  deliveries(
    webhookId: string,
    query: DeliveryListQuery = {},
    options?: RequestOptions,
  ): Reply<DeliveryPage> {
    return this.#caller.call('listWebhookDeliveries', { path: { webhookId }, query }, options);
  }

  /** All that was sent in the last 30 days, newest first, page by page. */
  eachDelivery(
    webhookId: string,
    query: DeliveryListQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<Delivery, void, void> {
    return eachItem((cursor) =>
      this.deliveries(webhookId, { ...query, ...(cursor === null ? {} : { cursor }) }, options),
    );
  }

  /** Sends the event of one delivery again, once, with the same id. */
  replayDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Reply<Delivery> {
    const path = { webhookId, deliveryId };
    return this.#caller.call('replayWebhookDelivery', { path }, options);
  }

  /** Sends the events of a time again, each once. */
  replay(
    webhookId: string,
    body: WebhookReplayRange,
    options?: RequestOptions,
  ): Reply<AcceptedReplay> {
    return this.#caller.call('replayWebhook', { path: { webhookId }, body }, options);
  }
}
