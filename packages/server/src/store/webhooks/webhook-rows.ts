import type { EnvScope, EventType, WebhookDisabledReason } from '@changgu/contract';
import type { Selectable } from 'kysely';
import { ServiceError } from '../../rules/service-error.ts';
import { mayManageWebhook, type WebhookManager } from '../../rules/webhooks/webhook-access.ts';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

/** An endpoint as those who manage it see it. */
export interface Webhook {
  readonly id: string;
  readonly organizationId: number;
  readonly url: string;
  readonly eventTypes: readonly EventType[];
  readonly envScope: EnvScope;
  readonly description: string | null;
  readonly status: 'ENABLED' | 'DISABLED';
  readonly disabledReason: WebhookDisabledReason | null;
  readonly disabledAt: number | null;
  readonly failingSince: number | null;
  readonly publicKey: string;
  readonly previousKeysUntil: number | null;
  readonly createdAt: number;
}

/** Which endpoint is meant, and by whom. */
export interface WebhookChoice {
  readonly manager: WebhookManager;
  readonly webhookId: string;
}

export const WEBHOOK_COLUMNS = [
  'id',
  'organization_id',
  'url',
  'event_types',
  'env_scope',
  'description',
  'status',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'public_key',
  'previous_keys_until',
  'created_at',
] as const;

type Row = Pick<Selectable<Database['webhooks']>, (typeof WEBHOOK_COLUMNS)[number]>;

export function webhookOf(row: Row): Webhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types),
    envScope: row.env_scope,
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    failingSince: row.failing_since,
    publicKey: row.public_key,
    previousKeysUntil: row.previous_keys_until,
    createdAt: row.created_at,
  };
}

/** @throws ServiceError RESOURCE_NOT_FOUND also for one that the caller may not manage */
export async function requireWebhook(
  tx: Transaction,
  { manager, webhookId }: WebhookChoice,
): Promise<Webhook> {
  const row = await tx.db
    .selectFrom('webhooks')
    .select(WEBHOOK_COLUMNS)
    .where('id', '=', webhookId)
    .where('organization_id', '=', manager.organizationId)
    .executeTakeFirst();
  const webhook = row && webhookOf(row);
  if (webhook === undefined || !mayManageWebhook(manager, webhook)) {
    throw new ServiceError('RESOURCE_NOT_FOUND');
  }
  return webhook;
}

/** @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function requireEnabledWebhook(
  tx: Transaction,
  choice: WebhookChoice,
): Promise<Webhook> {
  const webhook = await requireWebhook(tx, choice);
  if (webhook.status === 'ENABLED') return webhook;
  throw new ServiceError('CONFLICT_STATE', { message: DISABLED });
}

const DISABLED = {
  ko: '중지된 웹훅입니다. 먼저 status를 ENABLED로 바꾸십시오.',
  en: 'This webhook is disabled. Set its status to ENABLED first.',
};

/** Tells the processes that deliver: of this endpoint something is new. */
export function signalWebhook(tx: Transaction, organizationId: number): void {
  tx.signal({ kind: 'webhook', organizationId });
}

/** What a row holds that is switched off: no process delivers to it any more. */
export function disabledWebhook(tx: Transaction, reason: WebhookDisabledReason) {
  return {
    status: 'DISABLED' as const,
    disabled_reason: reason,
    disabled_at: tx.clock,
    owner: null,
    wake_at: null,
  };
}
