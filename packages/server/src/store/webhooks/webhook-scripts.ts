import { type EventType, LIMITS } from '@changgu/contract';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import {
  assertMaySubscribe,
  mayManageWebhook,
  type WebhookManager,
  type WebhookTarget,
} from '../../rules/webhooks/webhook-access.ts';
import { latestEvent } from '../events/event-scripts.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import {
  disabledWebhook,
  requireWebhook,
  signalWebhook,
  WEBHOOK_COLUMNS,
  type Webhook,
  type WebhookChoice,
  webhookOf,
} from './webhook-rows.ts';

export interface NewWebhook extends WebhookTarget {
  readonly id: string;
  readonly manager: WebhookManager;
  readonly url: string;
  readonly description: string | null;
  /** Sealed. */
  readonly keys: Uint8Array;
  readonly publicKey: string;
  readonly actor: Actor;
}

/** What is left out stays. */
interface WebhookChange extends WebhookChoice {
  readonly url?: string;
  readonly eventTypes?: readonly EventType[];
  readonly description?: string | null;
  readonly status?: Webhook['status'];
  readonly actor: Actor;
}

interface KeyRotation extends WebhookChoice {
  /** Of the keys that the new ones were sealed together with. */
  readonly keyVersion: number;
  readonly keys: Uint8Array;
  readonly publicKey: string;
  readonly previousUntil: number | null;
  readonly actor: Actor;
}

export interface SealedWebhookKeys {
  readonly keys: Uint8Array;
  readonly keyVersion: number;
}

/** Endpoints that events are sent to, as their organization manages them. */
export const webhookScripts = {
  /** @throws ServiceError POLICY_LIMIT_REACHED, POLICY_ENV_NOT_ALLOWED, AUTH_FORBIDDEN_PRINCIPAL */
  create: write(async (tx, input: NewWebhook): Promise<Webhook> => insertWebhook(tx, input)),

  /** Newest first. */
  list: read(async (tx, manager: WebhookManager): Promise<Webhook[]> => {
    const rows = await tx.db
      .selectFrom('webhooks')
      .select(WEBHOOK_COLUMNS)
      .where('organization_id', '=', manager.organizationId)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(webhookOf).filter((webhook) => mayManageWebhook(manager, webhook));
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND */
  read: read(async (tx, choice: WebhookChoice): Promise<Webhook> => requireWebhook(tx, choice)),

  /** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL */
  update: write(async (tx, input: WebhookChange): Promise<Webhook> => updateWebhook(tx, input)),

  /** The log is left for `removeLog`. @throws ServiceError RESOURCE_NOT_FOUND */
  remove: write(async (tx, input: WebhookChoice & { readonly actor: Actor }): Promise<void> => {
    const { id, organizationId } = await requireWebhook(tx, input);
    await tx.db.deleteFrom('webhooks').where('id', '=', id).execute();
    await recordAct(tx, input.actor, { organizationId, act: 'webhook.delete', target: id });
    signalWebhook(tx, organizationId);
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND */
  keys: read(async (tx, choice: WebhookChoice): Promise<SealedWebhookKeys> => {
    const { id } = await requireWebhook(tx, choice);
    const { keys, key_version: keyVersion } = await tx.db
      .selectFrom('webhooks')
      .select(['keys', 'key_version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { keys, keyVersion };
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND; CONFLICT_STATE when it was rotated meanwhile */
  rotate: write(async (tx, input: KeyRotation): Promise<Webhook> => {
    await lockStanding(tx, input.manager.organizationId, input.actor);
    const { id, organizationId } = await requireWebhook(tx, input);
    const row = await tx.db
      .updateTable('webhooks')
      .set((eb) => ({
        keys: input.keys,
        public_key: input.publicKey,
        previous_keys_until: input.previousUntil,
        key_version: eb('key_version', '+', 1),
      }))
      .where('id', '=', id)
      .where('key_version', '=', input.keyVersion)
      .returning(WEBHOOK_COLUMNS)
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('CONFLICT_STATE');
    await recordAct(tx, input.actor, { organizationId, act: 'webhook.rotate', target: id });
    signalWebhook(tx, organizationId);
    return webhookOf(row);
  }),
};

async function lockStanding(tx: Transaction, organizationId: number, actor: Actor): Promise<void> {
  await tx.dialect.lock(tx, `webhooks:${organizationId}`);
  await assertStands(tx, actor);
}

async function insertWebhook(tx: Transaction, input: NewWebhook): Promise<Webhook> {
  const { manager, eventTypes, envScope, actor } = input;
  const { organizationId } = manager;
  assertMaySubscribe(manager, input);
  await lockStanding(tx, organizationId, actor);
  await requireOrganization(tx, organizationId);
  const { present } = await tx.db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('present'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (present >= LIMITS.webhooks) throw new ServiceError('POLICY_LIMIT_REACHED');
  const row = await tx.db
    .insertInto('webhooks')
    .values({
      id: input.id,
      organization_id: organizationId,
      url: input.url,
      event_types: JSON.stringify(eventTypes),
      env_scope: envScope,
      description: input.description,
      status: 'ENABLED',
      keys: input.keys,
      public_key: input.publicKey,
      created_at: await tx.now(),
      created_by: `${actor.kind}:${actor.id}`,
      ...(await latestEvent(tx, organizationId)),
    })
    .returning(WEBHOOK_COLUMNS)
    .executeTakeFirstOrThrow();
  await recordAct(tx, actor, {
    organizationId,
    act: 'webhook.create',
    target: input.id,
    details: { host: new URL(input.url).host, env_scope: envScope },
  });
  signalWebhook(tx, organizationId);
  return webhookOf(row);
}

async function updateWebhook(tx: Transaction, input: WebhookChange): Promise<Webhook> {
  await lockStanding(tx, input.manager.organizationId, input.actor);
  const before = await requireWebhook(tx, input);
  const { id, organizationId, envScope } = before;
  const { url, eventTypes, description, status, actor } = input;
  if (eventTypes !== undefined) assertMaySubscribe(input.manager, { envScope, eventTypes });
  const row = await tx.db
    .updateTable('webhooks')
    .set({
      ...(url === undefined ? {} : { url }),
      ...(url === undefined || url === before.url ? {} : { failing_since: null }),
      ...(eventTypes === undefined ? {} : { event_types: JSON.stringify(eventTypes) }),
      ...(description === undefined ? {} : { description }),
      ...(status === undefined || status === before.status
        ? {}
        : await switched(tx, organizationId, status)),
      // One of them is set, or nothing would be asked for; the row is returned either way.
      env_scope: envScope,
    })
    .where('id', '=', id)
    .returning(WEBHOOK_COLUMNS)
    .executeTakeFirstOrThrow();
  await recordAct(tx, actor, {
    organizationId,
    act: 'webhook.update',
    target: id,
    details: {
      ...(url === undefined || url === before.url ? {} : { host: new URL(url).host }),
      ...(status === undefined ? {} : { status }),
    },
  });
  signalWebhook(tx, organizationId);
  return webhookOf(row);
}

/** Switched on again, it continues with what happens now, and with what it was promised before. */
async function switched(tx: Transaction, organizationId: number, status: Webhook['status']) {
  if (status === 'DISABLED') return disabledWebhook(tx, 'requested');
  return {
    status,
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    wake_at: await tx.realNow(),
    ...(await latestEvent(tx, organizationId)),
  };
}
