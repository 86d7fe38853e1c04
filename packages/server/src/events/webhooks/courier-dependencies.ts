import type { Logger } from '../../logging/logger.ts';
import type { Store } from '../../store/database.ts';
import type { HeldWebhook } from '../../store/webhooks/courier-rows.ts';
import type { Timers } from '../../timers.ts';
import type { EventFeed } from '../event-feed.ts';
import type { OutcomeWriter } from './outcome-writer.ts';
import type { Places } from './places.ts';
import type { WebhookHttp } from './webhook-http.ts';
import type { WebhookSigner } from './webhook-keys.ts';

/** What all couriers of a process share. */
export interface CourierDependencies {
  readonly owner: string;
  readonly store: Pick<Store, 'webhookCouriers'>;
  readonly feed: Pick<EventFeed, 'after' | 'watch'>;
  readonly http: Pick<WebhookHttp, 'post'>;
  readonly writer: OutcomeWriter;
  /** Shared by all couriers of the process. */
  readonly places: Places;
  readonly openSigner: (webhook: HeldWebhook) => Promise<WebhookSigner>;
  readonly disable: (webhook: HeldWebhook, reason: 'gone' | 'failing') => Promise<void>;
  readonly timers: Timers;
  readonly realNow: () => number;
  readonly random: () => number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}
