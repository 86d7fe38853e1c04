import { randomUUID } from 'node:crypto';
import type {
  DeletionCancelRequest,
  DeletionCancelResponse,
  DeletionListResponse,
  DeletionRequest,
  DeletionResponse,
} from '@changgu/contract/schemas';
import { confirmPassword } from '../principals/own-password.ts';
import { kstTime } from '../rules/kst.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';
import type { Deletion } from '../store/deletions/deletions.ts';

type DeletionStore = Pick<Store, 'deletions' | 'users' | 'loginAttempts' | 'audit'>;

/** Asks to be deleted, seven days from now. @throws ServiceError PASSWORD_MISMATCH, RATE_LIMITED, DELETION_REQUEST_EXISTS */
export async function requestDeletion(
  store: DeletionStore,
  principal: ConsolePrincipal,
  request: DeletionRequest,
  origin: RequestOrigin,
): Promise<DeletionResponse> {
  await confirmPassword(store, principal, request.password, origin);
  const { userId, organizationId } = principal;
  const deletion = await store.deletions.request({
    id: randomUUID(),
    userId,
    organizationId,
    reasonText: request.reason_text ?? null,
    actor: actorOf(principal, origin),
  });
  return pending(deletion);
}

export async function listDeletions(
  store: Pick<Store, 'deletions'>,
  { userId }: ConsolePrincipal,
): Promise<DeletionListResponse> {
  return { items: (await store.deletions.open(userId)).map(pending) };
}

/** @throws ServiceError PASSWORD_MISMATCH, RATE_LIMITED, RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function cancelDeletion(
  store: DeletionStore,
  principal: ConsolePrincipal,
  id: string,
  request: DeletionCancelRequest,
  origin: RequestOrigin,
): Promise<DeletionCancelResponse> {
  await confirmPassword(store, principal, request.password, origin);
  const { userId, organizationId } = principal;
  const deletion = await store.deletions.withdraw({
    id,
    userId,
    organizationId,
    reason: request.reason ?? null,
    actor: actorOf(principal, origin),
  });
  if (deletion.canceledAt === null) throw new Error(`deletion ${id} was not withdrawn`);
  return {
    request_uuid: deletion.id,
    status: 'CANCELED',
    canceled_at: kstTime(deletion.canceledAt),
  };
}

function pending({ id, requestedAt, scheduledAt }: Deletion): DeletionResponse {
  return {
    request_uuid: id,
    status: 'PENDING',
    requested_at: kstTime(requestedAt),
    scheduled_at: kstTime(scheduledAt),
  };
}
