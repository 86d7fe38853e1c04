import type { DeliveryKind, DeliveryStatus } from '@changgu/contract';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { latestEvent } from '../events/event-scripts.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { DELIVERY_COLUMNS, type Delivery, deliveryOf } from './delivery-rows.ts';
import {
  requireEnabledWebhook,
  requireWebhook,
  signalWebhook,
  type Webhook,
  type WebhookChoice,
} from './webhook-rows.ts';

interface LogQuery extends WebhookChoice {
  readonly status: DeliveryStatus | null;
  readonly before: number | null;
  readonly limit: number;
}

/** The log of what was sent to an endpoint, and what is sent on request. */
export const webhookDeliveryScripts = {
  /** Newest first. @throws ServiceError RESOURCE_NOT_FOUND */
  list: read(async (tx, input: LogQuery): Promise<Delivery[]> => {
    const { id } = await requireWebhook(tx, input);
    let rows = tx.db
      .selectFrom('webhook_deliveries')
      .select(DELIVERY_COLUMNS)
      .where('webhook_id', '=', id)
      .orderBy('seq', 'desc')
      .limit(input.limit);
    if (input.status !== null) rows = rows.where('status', '=', input.status);
    if (input.before !== null) rows = rows.where('seq', '<', input.before);
    return (await rows.execute()).map(deliveryOf);
  }),

  /** Of an endpoint that is gone. True while there may be more. */
  removeLog: write(async (tx, webhookId: string): Promise<boolean> => {
    const removed = await tx.db
      .deleteFrom('webhook_deliveries')
      .where('seq', 'in', (eb) =>
        eb
          .selectFrom('webhook_deliveries')
          .select('seq')
          .where('webhook_id', '=', webhookId)
          .limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    return removed.numDeletedRows >= BATCH_ROWS;
  }),

  /** An event that this endpoint alone gets. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  test: write(async (tx, input: WebhookChoice & { readonly actor: Actor }): Promise<Delivery> => {
    const webhook = await requireEnabledWebhook(tx, input);
    const event = await tx.db
      .insertInto('events')
      .values({
        organization_id: webhook.organizationId,
        env_scope: webhook.envScope,
        type: 'webhook.test',
        job_id: null,
        account_link_id: null,
        subject: JSON.stringify({ webhook_id: webhook.id }),
        data: '{}',
        at: await tx.now(),
      })
      .returning(['tx', 'seq'])
      .executeTakeFirstOrThrow();
    const { id: target, organizationId } = webhook;
    await recordAct(tx, input.actor, { organizationId, act: 'webhook.test', target });
    tx.signal({ kind: 'event', organizationId });
    return insertDelivery(tx, webhook, 'test', { ...event, type: 'webhook.test' });
  }),

  /** The event of a delivery once more. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
  replay: write(
    async (
      tx,
      input: WebhookChoice & { readonly seq: number; readonly actor: Actor },
    ): Promise<Delivery> => {
      const webhook = await requireEnabledWebhook(tx, input);
      const { id, organizationId } = webhook;
      const row = await tx.db
        .selectFrom('webhook_deliveries')
        .select(DELIVERY_COLUMNS)
        .where('webhook_id', '=', id)
        .where('seq', '=', input.seq)
        .executeTakeFirst();
      if (row === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
      await recordAct(tx, input.actor, {
        organizationId,
        act: 'webhook.replay',
        target: id,
        details: { delivery: input.seq },
      });
      return insertDelivery(tx, webhook, 'replay', deliveryOf(row).event);
    },
  ),

  /** The events of a time once more. @throws ServiceError RESOURCE_NOT_FOUND; CONFLICT_STATE also while one runs */
  replayRange: write(
    async (
      tx,
      input: WebhookChoice & { readonly from: number; readonly to: number; readonly actor: Actor },
    ): Promise<void> => {
      const { id, organizationId } = await requireEnabledWebhook(tx, input);
      const { from, to } = input;
      const end = await latestEvent(tx, organizationId);
      const begun = await tx.db
        .updateTable('webhooks')
        .set({
          replay_tx: 0,
          replay_seq: 0,
          replay_end_tx: end.tx,
          replay_end_seq: end.seq,
          replay_from: from,
          replay_to: to,
        })
        .where('id', '=', id)
        .where('replay_from', 'is', null)
        .executeTakeFirst();
      if (begun.numUpdatedRows === 0n) {
        throw new ServiceError('CONFLICT_STATE', { message: ONE_AT_A_TIME });
      }
      await wake(tx, id);
      await recordAct(tx, input.actor, {
        organizationId,
        act: 'webhook.replay_range',
        target: id,
        details: { from, to },
      });
      signalWebhook(tx, organizationId);
    },
  ),
};

const ONE_AT_A_TIME = {
  ko: '이 웹훅은 다른 기간을 다시 보내고 있습니다. 끝난 뒤에 요청하십시오.',
  en: 'This webhook is replaying another range. Ask again when it is done.',
};

async function insertDelivery(
  tx: Transaction,
  webhook: Webhook,
  kind: DeliveryKind,
  event: Delivery['event'],
): Promise<Delivery> {
  const now = await tx.realNow();
  const row = await tx.db
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: webhook.id,
      kind,
      event_tx: event.tx,
      event_seq: event.seq,
      event_type: event.type,
      status: 'PENDING',
      created_at: now,
      next_attempt_at: now,
    })
    .returning(DELIVERY_COLUMNS)
    .executeTakeFirstOrThrow();
  await wake(tx, webhook.id);
  signalWebhook(tx, webhook.organizationId);
  return deliveryOf(row);
}

/** Something is due now; whoever delivers to it already looks by itself. */
async function wake(tx: Transaction, webhookId: string): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ wake_at: await tx.realNow() })
    .where('id', '=', webhookId)
    .where('owner', 'is', null)
    .execute();
}
