import type { StoredEvent } from '../../store/events/event-scripts.ts';
import { eventId } from '../event-id.ts';
import { eventView } from '../event-view.ts';
import type { WebhookSigner } from './webhook-keys.ts';

const USER_AGENT = 'Changgu-Webhooks/1';

/** An event as it is sent to an endpoint. Its id is the event's, however often it is sent. */
export function webhookMessage(event: StoredEvent, sign: WebhookSigner, realNow: number) {
  const id = eventId(event);
  const timestamp = Math.floor(realNow / 1_000);
  const body = JSON.stringify(eventView(event));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign({ id, timestamp, body }),
    },
  };
}
