import type {
  WebhookCreateRequest,
  WebhookCreateResponse,
  WebhookDeleteResponse,
  WebhookListResponse,
  WebhookRecord,
  WebhookRotateResponse,
  WebhookUpdateRequest,
} from '@changgu/contract/schemas';
import type { Clock } from '../../clock.ts';
import type { Vault } from '../../crypto/vault.ts';
import { newWebhookId } from '../../ids.ts';
import { HOUR_MS } from '../../rules/durations.ts';
import { actorOf, type RequestOrigin } from '../../rules/principals/actor.ts';
import type { ClientPrincipal, ConsolePrincipal } from '../../rules/principals/principal.ts';
import type { WebhookManager } from '../../rules/webhooks/webhook-access.ts';
import { acceptWebhookUrl, type WebhookUrlPolicy } from '../../rules/webhooks/webhook-url.ts';
import type { Store } from '../../store/database.ts';
import type { WebhookChoice } from '../../store/webhooks/webhook-rows.ts';
import {
  generateWebhookKeys,
  openWebhookKeys,
  sealWebhookKeys,
  shownPublicKey,
  shownSecret,
} from './webhook-keys.ts';
import { webhookView } from './webhook-views.ts';

export interface WebhookDependencies {
  readonly store: Pick<Store, 'webhooks' | 'webhookDeliveries'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clock: Pick<Clock, 'realNow'>;
  readonly urls: WebhookUrlPolicy;
}

/** The caller and its request. */
export interface WebhookCaller {
  readonly principal: ClientPrincipal | ConsolePrincipal;
  readonly origin: RequestOrigin;
}

export function managerOf(principal: WebhookCaller['principal']): WebhookManager {
  const { organizationId } = principal;
  return {
    organizationId,
    envScopes: principal.kind === 'client' ? principal.allowedEnvScopes : null,
    allowedActions: principal.kind === 'client' ? principal.allowedActions : null,
  };
}

export function choiceOf({ principal }: WebhookCaller, webhookId: string): WebhookChoice {
  return { manager: managerOf(principal), webhookId };
}

/**
 * Creates an endpoint; its secret appears only in this answer.
 * @throws ServiceError 400 for the URL; POLICY_LIMIT_REACHED, POLICY_ENV_NOT_ALLOWED, AUTH_FORBIDDEN_PRINCIPAL
 */
export async function createWebhook(
  { store, vault, clock, urls }: WebhookDependencies,
  { principal, origin }: WebhookCaller,
  request: WebhookCreateRequest,
): Promise<WebhookCreateResponse> {
  const url = acceptWebhookUrl(request.url, urls);
  const manager = managerOf(principal);
  const id = newWebhookId();
  const keys = generateWebhookKeys();
  const owner = { id, organizationId: manager.organizationId };
  const webhook = await store.webhooks.create({
    id,
    manager,
    url,
    eventTypes: request.event_types,
    envScope: request.env_scope,
    description: request.description ?? null,
    keys: await sealWebhookKeys(vault, owner, [keys]),
    publicKey: shownPublicKey(keys),
    actor: actorOf(principal, origin),
  });
  return { ...webhookView(webhook, clock.realNow()), secret: shownSecret(keys) };
}

export async function listWebhooks(
  { store, clock }: WebhookDependencies,
  { principal }: WebhookCaller,
): Promise<WebhookListResponse> {
  const webhooks = await store.webhooks.list(managerOf(principal));
  return { items: webhooks.map((webhook) => webhookView(webhook, clock.realNow())) };
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
export async function readWebhook(
  { store, clock }: WebhookDependencies,
  caller: WebhookCaller,
  webhookId: string,
): Promise<WebhookRecord> {
  return webhookView(await store.webhooks.read(choiceOf(caller, webhookId)), clock.realNow());
}

/** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL; 400 for the URL */
export async function updateWebhook(
  { store, clock, urls }: WebhookDependencies,
  caller: WebhookCaller,
  webhookId: string,
  { url, event_types: eventTypes, description, status }: WebhookUpdateRequest,
): Promise<WebhookRecord> {
  const webhook = await store.webhooks.update({
    ...choiceOf(caller, webhookId),
    ...(url === undefined ? {} : { url: acceptWebhookUrl(url, urls) }),
    ...(eventTypes === undefined ? {} : { eventTypes }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
    actor: actorOf(caller.principal, caller.origin),
  });
  return webhookView(webhook, clock.realNow());
}

/** @throws ServiceError RESOURCE_NOT_FOUND */
export async function deleteWebhook(
  { store }: WebhookDependencies,
  caller: WebhookCaller,
  webhookId: string,
): Promise<WebhookDeleteResponse> {
  const actor = actorOf(caller.principal, caller.origin);
  await store.webhooks.remove({ ...choiceOf(caller, webhookId), actor });
  // Rows that a crash leaves behind are deleted with age.
  while (await store.webhookDeliveries.removeLog(webhookId));
  return { webhook_id: webhookId, status: 'DELETED' };
}

/**
 * Replaces the endpoint's keys; the previous ones continue to sign for a while.
 * @throws ServiceError RESOURCE_NOT_FOUND; CONFLICT_STATE when two rotate at once
 */
export async function rotateWebhook(
  { store, vault, clock }: WebhookDependencies,
  caller: WebhookCaller,
  webhookId: string,
  overlapHours: number,
): Promise<WebhookRotateResponse> {
  const choice = choiceOf(caller, webhookId);
  const owner = { id: webhookId, organizationId: choice.manager.organizationId };
  const sealed = await store.webhooks.keys(choice);
  const [current] = await openWebhookKeys(vault, owner, sealed.keys);
  const keys = generateWebhookKeys();
  const until = overlapHours === 0 ? null : clock.realNow() + overlapHours * HOUR_MS;
  const previous = current === undefined || until === null ? [] : [{ ...current, until }];
  const webhook = await store.webhooks.rotate({
    ...choice,
    keyVersion: sealed.keyVersion,
    keys: await sealWebhookKeys(vault, owner, [keys, ...previous]),
    publicKey: shownPublicKey(keys),
    previousUntil: until,
    actor: actorOf(caller.principal, caller.origin),
  });
  return { ...webhookView(webhook, clock.realNow()), secret: shownSecret(keys) };
}
