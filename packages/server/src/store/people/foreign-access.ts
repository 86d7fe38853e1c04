import type { AuditAct } from '@changgu/contract';
import { revokeAppCredential } from '../aggregates/client-keys/app-credentials.ts';
import { cancelDeletions } from '../aggregates/deletion-rows.ts';
import { lockHandoffTokens } from '../aggregates/integrators/lock-application.ts';
import { revokeGrants } from '../oauth/grants.ts';
import { recordAct } from '../transactions/audit.ts';
import { isOneOf } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import { disabledWebhook, signalWebhook } from '../webhooks/webhook-rows.ts';
import { hasFactor, lockFactors, type OfUser, resetFactors } from './own-factors.ts';

/**
 * Until its address is proven, anyone could have registered it: what that person set up would still open the account
 * and the organization to them after its owner has taken it back. The caller holds the lock `members`.
 */
export async function endForeignAccess(tx: Transaction, user: OfUser): Promise<void> {
  await cancelDeletions(tx, user);
  await lockFactors(tx, user.userId);
  if (await hasFactor(tx, user.userId)) await resetFactors(tx, user);
  await revokeInvitations(tx, user);
  const grants = await endGrants(tx, user);
  // The address of everyone else was chosen by an owner, who invited it.
  if (!(await isFounder(tx, user))) return;
  const keys = await endKeys(tx, user);
  await disableWebhooks(tx, user, [...keys, ...grants]);
}

function nameOf({ userId }: OfUser): string {
  return `console_user:${userId}`;
}

function nameOfClient(id: string): string {
  return `client:${id}`;
}

async function isFounder(tx: Transaction, { userId }: OfUser): Promise<boolean> {
  const { joined_at: joinedAt } = await tx.db
    .selectFrom('members')
    .select('joined_at')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return joinedAt === null;
}

/**
 * Those that the person issued, those of others whose secret the person replaced and so knows, and those by handoff,
 * as no one knows who exchanged a token.
 */
async function endKeys(tx: Transaction, user: OfUser): Promise<readonly string[]> {
  const { organizationId, actor } = user;
  await endHandoffTokens(tx, user);
  await tx.dialect.lock(tx, `app-credentials:${organizationId}`);
  const issued = await tx.db
    .selectFrom('app_credentials')
    .select('client_id')
    .where('organization_id', '=', organizationId)
    .where((eb) =>
      eb.or([
        eb('created_by', '=', nameOf(user)),
        eb('client_id', 'in', changedBy(tx, user, ['app_credential.rotate'])),
        eb(
          'client_id',
          'in',
          handoffTokensOf(tx, organizationId).select('handoff_tokens.client_id'),
        ),
      ]),
    )
    .orderBy('client_id')
    .execute();
  for (const { client_id: clientId } of issued) {
    await revokeAppCredential(tx, { clientId, organizationId, reason: 'user_request', actor });
  }
  return issued.map(({ client_id }) => client_id);
}

/** They expire: a used one would need its key. */
async function endHandoffTokens(tx: Transaction, { organizationId }: OfUser): Promise<void> {
  await lockHandoffTokens(tx, organizationId);
  const open = await handoffTokensOf(tx, organizationId)
    .select('handoff_tokens.token_hash')
    .where('handoff_tokens.used_at', 'is', null)
    .where('handoff_tokens.expires_at', '>', tx.clock)
    .orderBy('handoff_tokens.token_hash')
    .execute();
  for (const { token_hash: tokenHash } of open) {
    await tx.dialect.lock(tx, `handoff:${tokenHash}`);
    await tx.db
      .updateTable('handoff_tokens')
      .set({ expires_at: tx.clock })
      .where('token_hash', '=', tokenHash)
      .execute();
  }
}

function handoffTokensOf(tx: Transaction, organizationId: number) {
  return tx.db
    .selectFrom('handoff_tokens')
    .innerJoin(
      'integrator_applications',
      'integrator_applications.id',
      'handoff_tokens.application_id',
    )
    .where('integrator_applications.organization_id', '=', organizationId);
}

async function endGrants(
  tx: Transaction,
  { userId, organizationId, actor }: OfUser,
): Promise<readonly string[]> {
  await tx.dialect.lock(tx, `oauth-grants:${organizationId}`);
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
  user: OfUser,
  clients: readonly string[],
): Promise<void> {
  const { organizationId, actor } = user;
  const creators = [nameOf(user), ...clients.map(nameOfClient)];
  const changed = changedBy(tx, user, ['webhook.update', 'webhook.rotate'], clients);
  await tx.dialect.lock(tx, `webhooks:${organizationId}`);
  const disabled = await tx.db
    .updateTable('webhooks')
    .set(disabledWebhook(tx, 'requested'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'ENABLED')
    .where((eb) => eb.or([isOneOf(tx, 'created_by', creators, 'text'), eb('id', 'in', changed)]))
    .returning('id')
    .execute();
  for (const { id: target } of disabled) {
    const details = { status: 'DISABLED' };
    await recordAct(tx, actor, { organizationId, act: 'webhook.update', target, details });
  }
  signalWebhook(tx, organizationId);
}

/**
 * What was changed by the person, or by clients of the person. Such acts are rare, and found by their kind: an
 * organization has many others.
 */
function changedBy(
  tx: Transaction,
  { userId }: OfUser,
  acts: readonly AuditAct[],
  clients: readonly string[] = [],
) {
  return tx.db
    .selectFrom('audit')
    .select('audit.target')
    .where('audit.act', 'in', acts)
    .where('audit.target', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('audit.actor_kind', '=', 'console_user'),
          eb('audit.actor_id', '=', String(userId)),
        ]),
        eb.and([
          eb('audit.actor_kind', '=', 'client'),
          isOneOf(tx, 'audit.actor_id', clients, 'text'),
        ]),
      ]),
    );
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
