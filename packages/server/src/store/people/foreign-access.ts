import { revokeAppCredential } from '../aggregates/client-keys/app-credentials.ts';
import { revokeGrants } from '../oauth/grants.ts';
import { recordAct } from '../transactions/audit.ts';
import { isOneOf } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import { hasFactor, lockFactors, type OfUser, resetFactors } from './own-factors.ts';

/**
 * Until its address is proven, anyone could have registered it: what that person set up would still open the account
 * and the organization to them after its owner has taken it back.
 */
export async function endForeignAccess(tx: Transaction, user: OfUser): Promise<void> {
  await lockFactors(tx, user.userId);
  if (await hasFactor(tx, user.userId)) await resetFactors(tx, user);
  const keys = await endKeys(tx, user);
  const grants = await endGrants(tx, user);
  const programs = [...keys, ...grants].map((id) => `client:${id}`);
  await disableWebhooks(tx, user, [nameOf(user), ...programs]);
  await revokeInvitations(tx, user);
}

function nameOf({ userId }: OfUser): string {
  return `console_user:${userId}`;
}

async function endKeys(tx: Transaction, user: OfUser): Promise<readonly string[]> {
  const { organizationId, actor } = user;
  const issued = await tx.db
    .selectFrom('app_credentials')
    .select('client_id')
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', nameOf(user))
    .orderBy('client_id')
    .execute();
  for (const { client_id: clientId } of issued) {
    await revokeAppCredential(tx, { clientId, organizationId, reason: 'user_request', actor });
  }
  return issued.map(({ client_id }) => client_id);
}

async function endGrants(tx: Transaction, { userId, actor }: OfUser): Promise<readonly string[]> {
  const given = await tx.db
    .selectFrom('oauth_grants')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
  for (const { id: grantId } of given) await revokeGrants(tx, { grantId, actor });
  return given.map(({ id }) => id);
}

async function disableWebhooks(
  tx: Transaction,
  { organizationId, actor }: OfUser,
  creators: readonly string[],
): Promise<void> {
  const disabled = await tx.db
    .updateTable('webhooks')
    .set({
      status: 'DISABLED',
      disabled_reason: 'requested',
      disabled_at: tx.clock,
      owner: null,
      wake_at: null,
    })
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'ENABLED')
    .where(isOneOf(tx, 'created_by', creators, 'text'))
    .returning('id')
    .execute();
  for (const { id: target } of disabled) {
    const details = { status: 'DISABLED' };
    await recordAct(tx, actor, { organizationId, act: 'webhook.update', target, details });
  }
  tx.signal({ kind: 'webhook', organizationId });
}

async function revokeInvitations(
  tx: Transaction,
  { userId, organizationId, actor }: OfUser,
): Promise<void> {
  const revoked = await tx.db
    .updateTable('invitations')
    .set({ revoked_at: await tx.realNow() })
    .where('organization_id', '=', organizationId)
    .where('invited_by', '=', userId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id: target } of revoked) {
    await recordAct(tx, actor, { organizationId, act: 'invitation.revoke', target });
  }
}
