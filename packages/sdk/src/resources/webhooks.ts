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
 * Webhook endpoints. Needs a console token or a key issued with `manageWebhooks`; with both, the token is sent.
 * Verify what arrives with `verifyWebhook` of `@changgu/sdk/webhooks`.
 */
export class Webhooks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Creates an endpoint that gets events from now on. The secret is shown only once. */
  create(body: WebhookDetails, options?: RequestOptions): Reply<CreatedWebhook> {
    return this.#caller.call('createWebhook', { body }, options);
  }

  /** Endpoints, newest first, without secrets. */
  list(options?: RequestOptions): Reply<WebhookList> {
    return this.#caller.call('listWebhooks', {}, options);
  }

  get(webhookId: string, options?: RequestOptions): Reply<Webhook> {
    return this.#caller.call('readWebhook', { path: { webhookId } }, options);
  }

  /** Changes an endpoint, or disables and enables it. */
  update(webhookId: string, body: WebhookChanges, options?: RequestOptions): Reply<Webhook> {
    return this.#caller.call('updateWebhook', { path: { webhookId }, body }, options);
  }

  /** Deletes an endpoint with its delivery log. */
  delete(webhookId: string, options?: RequestOptions): Reply<DeletedWebhook> {
    return this.#caller.call('deleteWebhook', { path: { webhookId } }, options);
  }

  /** Replaces secret and key pair; for `overlapHours` (default 24) the old ones also sign. */
  rotate(
    webhookId: string,
    body: WebhookRotation = {},
    options?: RequestOptions,
  ): Reply<RotatedWebhook> {
    return this.#caller.call('rotateWebhook', { path: { webhookId }, body }, options);
  }

  /** Sends a `webhook.test` event to this endpoint, once. `deliveries` shows the outcome. */
  test(webhookId: string, options?: RequestOptions): Reply<Delivery> {
    return this.#caller.call('testWebhook', { path: { webhookId } }, options);
  }

  /** One page of deliveries, newest first. */
  deliveries(
    webhookId: string,
    query: DeliveryListQuery = {},
    options?: RequestOptions,
  ): Reply<DeliveryPage> {
    return this.#caller.call('listWebhookDeliveries', { path: { webhookId }, query }, options);
  }

  /** All deliveries of the last 30 days, newest first, page by page. */
  eachDelivery(
    webhookId: string,
    query: DeliveryListQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<Delivery, void, void> {
    return eachItem((place) => this.deliveries(webhookId, { ...query, ...place }, options));
  }

  /** Sends the event of one delivery again, once, with the same id. */
  replayDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Reply<Delivery> {
    const path = { webhookId, deliveryId };
    return this.#caller.call('replayWebhookDelivery', { path }, options);
  }

  /** Sends the events of a period again, each once. */
  replay(
    webhookId: string,
    body: WebhookReplayRange,
    options?: RequestOptions,
  ): Reply<AcceptedReplay> {
    return this.#caller.call('replayWebhook', { path: { webhookId }, body }, options);
  }
}
