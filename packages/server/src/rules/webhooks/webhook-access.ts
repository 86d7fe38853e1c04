import type { EnvScope, EventType } from '@changgu/contract';
import { isOfAdministration } from '../events/event-access.ts';
import { ServiceError } from '../service-error.ts';

/** Who manages endpoints: administrators all of them, a key those whose events it may read itself. */
export interface WebhookManager {
  readonly organizationId: number;
  /** The rights of a key; null for administrators. */
  readonly envScopes: readonly EnvScope[] | null;
}

export interface WebhookTarget {
  readonly envScope: EnvScope;
  readonly eventTypes: readonly EventType[];
}

export function mayManageWebhook(manager: WebhookManager, target: WebhookTarget): boolean {
  if (manager.envScopes === null) return true;
  return manager.envScopes.includes(target.envScope) && !target.eventTypes.some(isOfAdministration);
}

/** @throws ServiceError POLICY_ENV_NOT_ALLOWED, AUTH_FORBIDDEN_PRINCIPAL */
export function assertMaySubscribe(
  { envScopes }: WebhookManager,
  { envScope, eventTypes }: WebhookTarget,
): void {
  if (envScopes === null) return;
  if (!envScopes.includes(envScope)) throw new ServiceError('POLICY_ENV_NOT_ALLOWED');
  if (eventTypes.some(isOfAdministration)) {
    throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL', { message: FOR_ADMINISTRATORS });
  }
}

const FOR_ADMINISTRATORS = {
  ko: '구성원, 키, 청구서, 웹훅의 이벤트는 조직의 ADMIN이나 OWNER만 구독할 수 있습니다.',
  en: 'Only an ADMIN or OWNER can subscribe to events about members, keys, invoices and webhooks.',
};

/** Whether an endpoint receives an event: one of its environment, or one without an environment. */
export function isToldOf(
  { envScope, eventTypes }: WebhookTarget,
  event: { readonly type: EventType; readonly envScope: EnvScope | null },
): boolean {
  if (!eventTypes.includes(event.type)) return false;
  return event.envScope === null || event.envScope === envScope;
}
