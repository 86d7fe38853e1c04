import type {
  WebhookDelivery,
  WebhookDeliveryListResponse,
  WebhookRecord,
} from '@changgu/contract/schemas';
import { encodeCursor } from '../../requests/list-cursor.ts';
import { kstTime, kstTimeOrNull } from '../../rules/kst.ts';
import type { Delivery } from '../../store/webhooks/delivery-rows.ts';
import type { Webhook } from '../../store/webhooks/webhook-rows.ts';
import { eventId } from '../event-id.ts';
import { deliveryId } from './delivery-id.ts';

export function webhookView(webhook: Webhook, realNow: number): WebhookRecord {
  const { previousKeysUntil } = webhook;
  const isOver = previousKeysUntil === null || previousKeysUntil <= realNow;
  return {
    webhook_id: webhook.id,
    url: webhook.url,
    // Only event types that can be subscribed to were ever accepted.
    event_types: [...webhook.eventTypes] as WebhookRecord['event_types'],
    env_scope: webhook.envScope,
    description: webhook.description,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    disabled_at: kstTimeOrNull(webhook.disabledAt),
    failing_since: kstTimeOrNull(webhook.failingSince),
    public_key: webhook.publicKey,
    previous_secret_expires_at: isOver ? null : kstTime(previousKeysUntil),
    created_at: kstTime(webhook.createdAt),
  };
}

export function deliveryView(delivery: Delivery): WebhookDelivery {
  return {
    delivery_id: deliveryId(delivery.seq),
    webhook_id: delivery.webhookId,
    event_id: eventId(delivery.event),
    event_type: delivery.event.type,
    kind: delivery.kind,
    status: delivery.status,
    attempts: delivery.attempts,
    created_at: kstTime(delivery.createdAt),
    last_attempt_at: kstTimeOrNull(delivery.lastAttemptAt),
    next_attempt_at: kstTimeOrNull(delivery.nextAttemptAt),
    duration_ms: delivery.durationMs,
    response_status: delivery.responseStatus,
    response_body: delivery.responseBody,
    error: delivery.error,
  };
}

/** `found` has one row more than the page when there is another page. */
export function deliveryPage(
  found: readonly Delivery[],
  limit: number,
  boundTo: unknown,
): WebhookDeliveryListResponse {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(deliveryView),
    next_cursor: last === undefined ? null : encodeCursor(last.seq, boundTo),
  };
}
