import { operations } from '@changgu/contract/schemas';
import {
  listDeliveries,
  replayDelivery,
  replayRange,
  testWebhook,
} from '../../events/webhooks/ask-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhook,
  updateWebhook,
  type WebhookDependencies,
} from '../../events/webhooks/manage-webhooks.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

const { webhooks } = operations;

const DEFAULT_OVERLAP_HOURS = 24;

/** Webhook endpoints. */
export function webhookRoutes(app: HttpApp, dependencies: WebhookDependencies): void {
  route(app, webhooks.createWebhook, async (request) => ({
    status: 201,
    body: await createWebhook(dependencies, request, request.body),
  }));

  route(app, webhooks.listWebhooks, async (request) => ({
    status: 200,
    body: await listWebhooks(dependencies, request),
  }));

  route(app, webhooks.readWebhook, async (request) => ({
    status: 200,
    body: await readWebhook(dependencies, request, request.params.webhook_id),
  }));

  route(app, webhooks.updateWebhook, async (request) => ({
    status: 200,
    body: await updateWebhook(dependencies, request, request.params.webhook_id, request.body),
  }));

  route(app, webhooks.deleteWebhook, async (request) => ({
    status: 200,
    body: await deleteWebhook(dependencies, request, request.params.webhook_id),
  }));

  route(app, webhooks.rotateWebhook, async (request) => {
    const hours = request.body?.overlap_hours ?? DEFAULT_OVERLAP_HOURS;
    return {
      status: 200,
      body: await rotateWebhook(dependencies, request, request.params.webhook_id, hours),
    };
  });

  deliveryRoutes(app, dependencies);
}

/** Deliveries and replays. */
function deliveryRoutes(app: HttpApp, dependencies: WebhookDependencies): void {
  route(app, webhooks.testWebhook, async (request) => ({
    status: 202,
    body: await testWebhook(dependencies, request, request.params.webhook_id),
  }));

  route(app, webhooks.listWebhookDeliveries, async (request) => ({
    status: 200,
    body: await listDeliveries(dependencies, request, request.params.webhook_id, request.query),
  }));

  route(app, webhooks.replayWebhookDelivery, async (request) => {
    const { webhook_id: webhookId, delivery_id: deliveryId } = request.params;
    return {
      status: 202,
      body: await replayDelivery(dependencies, request, webhookId, deliveryId),
    };
  });

  route(app, webhooks.replayWebhook, async (request) => ({
    status: 202,
    body: await replayRange(dependencies, request, request.params.webhook_id, request.body),
  }));
}
