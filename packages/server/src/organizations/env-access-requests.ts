import type {
  AdminEnvAccessListResponse,
  DecisionRequest,
  EnvAccessListResponse,
  EnvAccessRecord,
  EnvAccessRequest,
} from '@changgu/contract/schemas';
import { kstTime, kstTimeOrNull } from '../rules/kst.ts';
import type { EnvAccessSettings } from '../rules/organizations/env-access.ts';
import { type Actor, actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';
import type { EnvAccess } from '../store/requests/env-access.ts';

export interface EnvAccessDependencies {
  readonly store: Pick<Store, 'envAccess'>;
  readonly settings: EnvAccessSettings;
}

/** Asks for real_test. @throws ServiceError CONFLICT_DUPLICATE */
export async function requestEnvAccess(
  { store, settings }: EnvAccessDependencies,
  principal: ConsolePrincipal,
  request: EnvAccessRequest,
  origin: RequestOrigin,
): Promise<EnvAccessRecord> {
  const { organizationId, userId } = principal;
  const access = await store.envAccess.request({
    organizationId,
    userId,
    reasonText: request.reason_text ?? null,
    settings,
    actor: actorOf(principal, origin),
  });
  return toRecord(access);
}

export async function listEnvAccess(
  { store }: EnvAccessDependencies,
  organizationId: number,
): Promise<EnvAccessListResponse> {
  const requests = await store.envAccess.list({ organizationId, status: null });
  return { items: requests.map(toRecord) };
}

/** Of all organizations, for those who decide. */
export async function listEnvAccessForAdmin(
  { store }: EnvAccessDependencies,
  { status }: { readonly status?: EnvAccess['status'] },
): Promise<AdminEnvAccessListResponse> {
  const requests = await store.envAccess.list({ organizationId: null, status: status ?? null });
  const items = requests.map((access) => ({
    organization_id: access.organizationId,
    organization_name: access.organizationName,
    ...toRecord(access),
    reason_text: access.reasonText,
    note: access.note,
  }));
  return { items };
}

/** Idempotent. @throws ServiceError RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function decideEnvAccess(
  { store, settings }: EnvAccessDependencies,
  id: number,
  { decision, note }: DecisionRequest,
  actor: Actor,
): Promise<EnvAccessRecord> {
  return toRecord(
    await store.envAccess.decide({ id, decision, note: note ?? null, settings, actor }),
  );
}

function toRecord(access: EnvAccess): EnvAccessRecord {
  return {
    request_id: access.id,
    requested_target_env: 'real_test',
    status: access.status,
    created_at: kstTime(access.createdAt),
    decided_at: kstTimeOrNull(access.decidedAt),
  };
}
