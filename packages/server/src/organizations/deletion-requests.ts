import { randomUUID } from 'node:crypto';
import type {
  DeletionCancelRequest,
  DeletionCancelResponse,
  DeletionRequest,
  DeletionResponse,
} from '@changgu/contract/schemas';
import { kstTime } from '../kst.ts';
import { actorOf } from '../principals/actor.ts';
import { confirmPassword } from '../principals/own-password.ts';
import type { ConsolePrincipal } from '../principals/principal.ts';
import type { Store } from '../store/database.ts';

type DeletionStore = Pick<Store, 'deletions' | 'users'>;

/** Asks to be deleted, seven days from now (D90). @throws ServiceError PASSWORD_MISMATCH, DELETION_REQUEST_EXISTS */
export async function requestDeletion(
  store: DeletionStore,
  principal: ConsolePrincipal,
  request: DeletionRequest,
  traceId: string,
): Promise<DeletionResponse> {
  await confirmPassword(store, principal, request.password);
  const { userId, organizationId } = principal;
  const deletion = await store.deletions.request({
    id: randomUUID(),
    userId,
    organizationId,
    reasonText: request.reason_text ?? null,
    actor: actorOf(principal, traceId),
  });
  return {
    request_uuid: deletion.id,
    status: 'PENDING',
    requested_at: kstTime(deletion.requestedAt),
    scheduled_at: kstTime(deletion.scheduledAt),
  };
}

/** @throws ServiceError PASSWORD_MISMATCH, RESOURCE_NOT_FOUND, CONFLICT_STATE */
export async function cancelDeletion(
  store: DeletionStore,
  principal: ConsolePrincipal,
  id: string,
  request: DeletionCancelRequest,
  traceId: string,
): Promise<DeletionCancelResponse> {
  await confirmPassword(store, principal, request.password);
  const { userId, organizationId } = principal;
  const deletion = await store.deletions.withdraw({
    id,
    userId,
    organizationId,
    reason: request.reason ?? null,
    actor: actorOf(principal, traceId),
  });
  if (deletion.canceledAt === null) throw new Error(`deletion ${id} was not withdrawn`);
  return {
    request_uuid: deletion.id,
    status: 'CANCELED',
    canceled_at: kstTime(deletion.canceledAt),
  };
}
