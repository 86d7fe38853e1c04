import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { Transaction } from './script.ts';

/**
 * That what the actor was admitted with has not ended since: what a request gives access with must not outlive a
 * reset that came first. Called under a lock that whoever ends it takes too, so that one of them sees the other.
 * @throws ServiceError AUTH_INVALID_CREDENTIALS
 */
export async function assertStands(tx: Transaction, actor: Actor): Promise<void> {
  if (await stands(tx, actor)) return;
  throw new ServiceError('AUTH_INVALID_CREDENTIALS');
}

async function stands(tx: Transaction, { kind, id, passwordEpoch }: Actor): Promise<boolean> {
  if (kind === 'client') return isKeyInForce(tx, id);
  return passwordEpoch === undefined || hasPassword(tx, Number(id), passwordEpoch);
}

/** Clients of OAuth have no key and reach none of these writes: their scopes allow jobs and links only. */
async function isKeyInForce(tx: Transaction, clientId: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('app_credentials')
    .select('client_id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

async function hasPassword(tx: Transaction, userId: number, epoch: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_epoch', '=', epoch)
    .where('deleted_at', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
