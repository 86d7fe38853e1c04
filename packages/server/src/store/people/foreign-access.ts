import { revokeAppCredential } from '../client-keys/app-credentials.ts';
import { knowsSecret, type Moment, rotationsOf } from '../client-keys/secret-holders.ts';
import { cancelDeletions } from '../deletions/deletion-rows.ts';
import { endGrantsOf } from '../oauth/grants.ts';
import { lockHandoffTokens } from '../requests/lock-application.ts';
import { recordAct } from '../transactions/audit.ts';
import type { Transaction } from '../transactions/script.ts';
import { disabledWebhook, signalWebhook } from '../webhooks/webhook-rows.ts';
import { hasFactor, type OfUser, resetFactors } from './own-factors.ts';

/** Whether the person could act as this client at this moment. */
type Reach = (clientId: string, moment: Moment) => boolean;

/**
 * Until its address is proven, anyone could have registered it: what that person set up would still open the account
 * and the organization to them after its owner has taken it back. The caller holds the locks of the members and of
 * the person's factors.
 */
export async function endForeignAccess(tx: Transaction, user: OfUser): Promise<void> {
  await cancelDeletions(tx, user);
  if (await hasFactor(tx, user.userId)) await resetFactors(tx, user);
  await revokeInvitations(tx, user);
  const grants = await endGrantsOf(tx, user);
  // The address of everyone else was chosen by an owner, who invited it.
  if (!(await isFounder(tx, user))) return;
  const reachesKey = await endKeys(tx, user);
  await disableWebhooks(tx, user, (id, moment) => grants.includes(id) || reachesKey(id, moment));
}

function nameOf({ userId }: OfUser): string {
  return `console_user:${userId}`;
}

async function isFounder(tx: Transaction, { userId }: OfUser): Promise<boolean> {
  const { joined_at: joinedAt } = await tx.db
    .selectFrom('members')
    .select('joined_at')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return joinedAt === null;
}

/** Answers which keys the person could use when; those that the person can use now are revoked. */
async function endKeys(tx: Transaction, user: OfUser): Promise<Reach> {
  const { organizationId, actor } = user;
  const person = nameOf(user);
  await endHandoffTokens(tx, user);
  await tx.dialect.lock(tx, `app-credentials:${organizationId}`);
  const own = new Set(await ownKeys(tx, user));
  const rotations = await rotationsOf(tx, organizationId);
  const reaches: Reach = (clientId, moment) =>
    own.has(clientId) || knowsSecret(rotations, { clientId, person, moment });
  const now = { id: Number.POSITIVE_INFINITY, at: await tx.now() };
  for (const clientId of new Set([...own, ...rotations.keys()])) {
    if (!reaches(clientId, now)) continue;
    await revokeAppCredential(tx, { clientId, organizationId, reason: 'user_request', actor });
  }
  return reaches;
}

/** Those that the person issued, and those by handoff, as no one knows who exchanged a token. */
async function ownKeys(tx: Transaction, user: OfUser): Promise<string[]> {
  const { organizationId } = user;
  const tokens = handoffTokensOf(tx, organizationId).select('handoff_tokens.client_id');
  const keys = await tx.db
    .selectFrom('app_credentials')
    .select('client_id')
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('created_by', '=', nameOf(user)), eb('client_id', 'in', tokens)]))
    .orderBy('client_id')
    .execute();
  return keys.map(({ client_id }) => client_id);
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

async function disableWebhooks(tx: Transaction, user: OfUser, reaches: Reach): Promise<void> {
  const { organizationId, actor } = user;
  await tx.dialect.lock(tx, `webhooks:${organizationId}`);
  const held = await heldWebhooks(tx, user, reaches);
  const disabled = await tx.db
    .updateTable('webhooks')
    .set(disabledWebhook(tx, 'requested'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'ENABLED')
    .where(tx.dialect.isOneOf('id', held, 'text'))
    .returning('id')
    .execute();
  for (const { id: target } of disabled) {
    const details = { status: 'DISABLED' };
    await recordAct(tx, actor, { organizationId, act: 'webhook.update', target, details });
  }
  signalWebhook(tx, organizationId);
}

/**
 * Those that the person, or a client of the person, added, and those whose address or keys were last changed so.
 * Such acts are rare, and found by their kind: an organization has many others.
 */
async function heldWebhooks(tx: Transaction, user: OfUser, reaches: Reach): Promise<string[]> {
  const acts = await tx.db
    .selectFrom('audit')
    .select(['id', 'at', 'actor_kind', 'actor_id', 'act', 'target', 'details'])
    .where('act', 'in', ['webhook.create', 'webhook.update', 'webhook.rotate'])
    .where('target', 'in', (eb) =>
      eb
        .selectFrom('webhooks')
        .select('webhooks.id')
        .where('organization_id', '=', user.organizationId),
    )
    .orderBy('id')
    .execute();
  const last = new Map<string, { readonly target: string; readonly isHeld: boolean }>();
  for (const { actor_kind: kind, actor_id: id, target, ...act } of acts) {
    if (target === null || (act.act === 'webhook.update' && !namesHost(act.details))) continue;
    const isHeld = kind === 'client' ? reaches(id, act) : `${kind}:${id}` === nameOf(user);
    last.set(`${act.act} ${target}`, { target, isHeld });
  }
  const held = [...last.values()].filter(({ isHeld }) => isHeld);
  return held.map(({ target }) => target);
}

/** An update records the host where it changed the address. */
function namesHost(details: string): boolean {
  return 'host' in JSON.parse(details);
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
