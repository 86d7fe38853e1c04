import { type DeliveryStatus, LIMITS } from '@changgu/contract';
import type {
  WebhookDelivery,
  WebhookDeliveryListResponse,
  WebhookReplayRequest,
  WebhookReplayResponse,
} from '@changgu/contract/schemas';
import { decodeCursor } from '../../requests/list-cursor.ts';
import { kstTime } from '../../rules/kst.ts';
import { actorOf } from '../../rules/principals/actor.ts';
import { invalidValue, ServiceError } from '../../rules/service-error.ts';
import { deliverySeq } from './delivery-id.ts';
import { choiceOf, type WebhookCaller, type WebhookDependencies } from './manage-webhooks.ts';
import { deliveryPage, deliveryView } from './webhook-views.ts';

type DeliveryStore = Pick<WebhookDependencies, 'store'>;

export interface DeliveryQuery {
  readonly status?: DeliveryStatus;
  readonly limit?: number;
  readonly cursor?: string;
}

/** The deliveries of an endpoint, newest first. @throws ServiceError RESOURCE_NOT_FOUND; 400 for the cursor */
export async function listDeliveries(
  { store }: DeliveryStore,
  caller: WebhookCaller,
  webhookId: string,
  { status, limit = LIMITS.page.default, cursor }: DeliveryQuery,
): Promise<WebhookDeliveryListResponse> {
  const boundTo = [webhookId, status ?? null];
  const found = await store.webhookDeliveries.list({
    ...choiceOf(caller, webhookId),
    status: status ?? null,
    before: cursor === undefined ? null : decodeCursor(cursor, boundTo),
    limit: limit + 1,
  });
  return deliveryPage(found, limit, boundTo);
}

/** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function testWebhook(
  { store }: DeliveryStore,
  caller: WebhookCaller,
  webhookId: string,
): Promise<WebhookDelivery> {
  const actor = actorOf(caller.principal, caller.origin);
  return deliveryView(
    await store.webhookDeliveries.test({ ...choiceOf(caller, webhookId), actor }),
  );
}

/** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function replayDelivery(
  { store }: DeliveryStore,
  caller: WebhookCaller,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const seq = deliverySeq(deliveryId);
  if (seq === null) throw new ServiceError('RESOURCE_NOT_FOUND');
  const actor = actorOf(caller.principal, caller.origin);
  return deliveryView(
    await store.webhookDeliveries.replay({ ...choiceOf(caller, webhookId), seq, actor }),
  );
}

/** @throws ServiceError 400, RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function replayRange(
  { store }: DeliveryStore,
  caller: WebhookCaller,
  webhookId: string,
  request: WebhookReplayRequest,
): Promise<WebhookReplayResponse> {
  const [from, to] = [Date.parse(request.from), Date.parse(request.to)];
  if (from >= to) {
    const msg = 'The end of the range must be after its beginning';
    throw invalidValue([{ loc: ['body', 'to'], msg, type: 'value_error' }]);
  }
  const actor = actorOf(caller.principal, caller.origin);
  await store.webhookDeliveries.replayRange({ ...choiceOf(caller, webhookId), from, to, actor });
  return { webhook_id: webhookId, from: kstTime(from), to: kstTime(to), status: 'ACCEPTED' };
}
