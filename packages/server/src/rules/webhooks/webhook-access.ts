import type { EnvScope, EventType } from '@changgu/contract';
import { concernsActions, isOfAdministration } from '../events/event-access.ts';
import { matchesEverything } from '../principals/allowed-action.ts';
import { ServiceError } from '../service-error.ts';

/** Who manages endpoints: administrators all of them, a key those whose events it may read itself. */
export interface WebhookManager {
  readonly organizationId: number;
  /** The rights of a key; null for administrators. */
  readonly envScopes: readonly EnvScope[] | null;
  /** The patterns of a key; null for every action. */
  readonly allowedActions: readonly string[] | null;
}

export interface WebhookTarget {
  readonly envScope: EnvScope;
  readonly eventTypes: readonly EventType[];
}

export function mayManageWebhook(manager: WebhookManager, target: WebhookTarget): boolean {
  if (manager.envScopes === null) return true;
  return (
    manager.envScopes.includes(target.envScope) &&
    !target.eventTypes.some(isOfAdministration) &&
    !tellsTooMuch(manager, target)
  );
}

/** An endpoint gets the events of every action, so a key for some of them has no use of its own for it. */
function tellsTooMuch(
  { allowedActions }: WebhookManager,
  { eventTypes }: Pick<WebhookTarget, 'eventTypes'>,
): boolean {
  return !matchesEverything(allowedActions) && eventTypes.some(concernsActions);
}

/** @throws ServiceError POLICY_ENV_NOT_ALLOWED, AUTH_FORBIDDEN_PRINCIPAL */
export function assertMaySubscribe(
  manager: WebhookManager,
  { envScope, eventTypes }: WebhookTarget,
): void {
  const { envScopes } = manager;
  if (envScopes === null) return;
  if (!envScopes.includes(envScope)) throw new ServiceError('POLICY_ENV_NOT_ALLOWED');
  if (eventTypes.some(isOfAdministration)) {
    throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL', { message: FOR_ADMINISTRATORS });
  }
  if (tellsTooMuch(manager, { eventTypes })) {
    throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL', { message: OF_ALL_ACTIONS });
  }
}

const FOR_ADMINISTRATORS = {
  ko: '구성원, 키, 청구서, 웹훅의 이벤트는 조직의 ADMIN이나 OWNER만 구독할 수 있습니다.',
  en: 'Only an ADMIN or OWNER can subscribe to events about members, keys, invoices and webhooks.',
};

const OF_ALL_ACTIONS = {
  ko: '일부 업무만 허용된 키로는 모든 업무의 이벤트를 구독할 수 없습니다. allowed_actions가 없는 키를 사용하십시오.',
  en: 'A key that is limited to some actions cannot subscribe to the events of all. Use a key without allowed_actions.',
};

/** Whether an endpoint receives an event: one of its environment, or one without an environment. */
export function isToldOf(
  { envScope, eventTypes }: WebhookTarget,
  event: { readonly type: EventType; readonly envScope: EnvScope | null },
): boolean {
  if (!eventTypes.includes(event.type)) return false;
  return event.envScope === null || event.envScope === envScope;
}
