import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { page } from '../schemas/paging.ts';
import { oneOf, strict } from '../schemas/vocabulary.ts';
import {
  WebhookCreateRequest,
  WebhookCreateResponse,
  WebhookDeleteResponse,
  WebhookDelivery,
  WebhookDeliveryListResponse,
  WebhookListResponse,
  WebhookRecord,
  WebhookReplayRequest,
  WebhookReplayResponse,
  WebhookRotateRequest,
  WebhookRotateResponse,
  WebhookUpdateRequest,
} from '../schemas/webhook.ts';
import { DELIVERY_STATUSES } from '../webhooks.ts';

const manager = { client: 'manage_webhooks', console_user: 'ADMIN' } as const;
const Id = Type.String({ minLength: 1, maxLength: 64 });
const WebhookPath = Type.Object({ webhook_id: Id });

export const createWebhook = defineOperation({
  id: 'createWebhook',
  method: 'POST',
  path: '/v1/webhooks',
  tag: 'webhooks',
  summary: 'Create an endpoint that events are sent to',
  description:
    'The endpoint gets events of its environment, and those that belong to none, from now on. Each is sent as a Standard Webhooks message, at least once, and again after a failure: after 5 seconds, 5 and 30 minutes, and 2, 5, 10 and 10 hours. Keys subscribe to environments of theirs; events about members, keys, invoices and webhooks are for administrators.',
  may: manager,
  environment: 'none',
  body: WebhookCreateRequest,
  responses: {
    201: { description: 'The endpoint with its secret', schema: WebhookCreateResponse },
  },
  errors: ['POLICY_LIMIT_REACHED', 'POLICY_ENV_NOT_ALLOWED'],
  addition: true,
});

export const listWebhooks = defineOperation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhooks',
  tag: 'webhooks',
  summary: 'List the endpoints of the organization, newest first; secrets are never shown',
  may: manager,
  environment: 'none',
  responses: { 200: { description: 'The endpoints', schema: WebhookListResponse } },
  errors: [],
  addition: true,
});

export const readWebhook = defineOperation({
  id: 'readWebhook',
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}',
  tag: 'webhooks',
  summary: 'Get an endpoint',
  may: manager,
  environment: 'none',
  params: WebhookPath,
  responses: { 200: { description: 'The endpoint', schema: WebhookRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const updateWebhook = defineOperation({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/v1/webhooks/{webhook_id}',
  tag: 'webhooks',
  summary: 'Change an endpoint, or switch it off and on',
  may: manager,
  environment: 'none',
  params: WebhookPath,
  body: WebhookUpdateRequest,
  responses: { 200: { description: 'The endpoint', schema: WebhookRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const deleteWebhook = defineOperation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/v1/webhooks/{webhook_id}',
  tag: 'webhooks',
  summary: 'Delete an endpoint with its delivery log',
  may: manager,
  environment: 'none',
  params: WebhookPath,
  responses: { 200: { description: 'Deleted', schema: WebhookDeleteResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const rotateWebhook = defineOperation({
  id: 'rotateWebhook',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/rotate',
  tag: 'webhooks',
  summary: 'Replace the secret and the key pair; the old ones sign too for a while',
  description:
    'For `overlap_hours` every message carries the signatures of both. Rotating again ends the older ones at once.',
  may: manager,
  environment: 'none',
  params: WebhookPath,
  body: WebhookRotateRequest,
  bodyRequired: false,
  responses: {
    200: { description: 'The endpoint with its new secret', schema: WebhookRotateResponse },
  },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const testWebhook = defineOperation({
  id: 'testWebhook',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/test',
  tag: 'webhooks',
  summary: 'Send a `webhook.test` event to this endpoint alone, once',
  may: manager,
  environment: 'none',
  params: WebhookPath,
  responses: { 202: { description: 'The delivery, to be read again', schema: WebhookDelivery } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const listWebhookDeliveries = defineOperation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  tag: 'webhooks',
  summary: 'List what was sent to an endpoint, newest first; kept for 30 days',
  may: manager,
  environment: 'none',
  params: WebhookPath,
  query: Type.Object(
    {
      status: Type.Optional(oneOf(DELIVERY_STATUSES)),
      ...page,
    },
    strict,
  ),
  responses: { 200: { description: 'One page', schema: WebhookDeliveryListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const replayWebhookDelivery = defineOperation({
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  tag: 'webhooks',
  summary: 'Send the event of a delivery again, once',
  description: 'With the same `webhook-id`, signed with the current secret.',
  may: manager,
  environment: 'none',
  params: Type.Object({ webhook_id: Id, delivery_id: Id }),
  responses: { 202: { description: 'The new delivery', schema: WebhookDelivery } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});

export const replayWebhook = defineOperation({
  id: 'replayWebhook',
  method: 'POST',
  path: '/v1/webhooks/{webhook_id}/replay',
  tag: 'webhooks',
  summary: 'Send the events of a period again, each once',
  description:
    'Those that the endpoint is for and that are still kept, whether they were sent before or not. One range at a time.',
  may: manager,
  environment: 'none',
  params: WebhookPath,
  body: WebhookReplayRequest,
  responses: { 202: { description: 'The events will be sent', schema: WebhookReplayResponse } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});
