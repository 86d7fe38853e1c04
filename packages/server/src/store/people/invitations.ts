import type { OrganizationRole } from '@changgu/contract';
import { DAY_MS, HOUR_MS } from '../../rules/durations.ts';
import { type Actor, type Origin, userActor } from '../../rules/principals/actor.ts';
import { assertMayManage } from '../../rules/principals/manage-members.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { closeLeftOrganization } from '../deletions/close-left-organization.ts';
import { type PostedLetter, postLetter } from '../mail/mail-outbox.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { assertStands } from '../transactions/standing.ts';
import { assertMayBecome } from './become-owner.ts';
import { endSessionsOf } from './console-sessions.ts';
import { deleteIdentity } from './identities.ts';
import { createInvitedUser } from './invited-user.ts';
import { roleOf } from './members.ts';
import { markVerified } from './one-time-links.ts';
import { purgeInvitations, selectOpenInvitations } from './open-invitations.ts';

export const INVITATION_MS = 72 * HOUR_MS;
/** An organization's invitations per day, so that the service cannot be used to send email to strangers. */
const MAX_PER_DAY = 100;

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: OrganizationRole;
  readonly invitedBy: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

interface NewInvitation {
  readonly id: string;
  readonly organizationId: number;
  readonly userId: number;
  /** Lower case. */
  readonly email: string;
  readonly role: OrganizationRole;
  readonly tokenHash: string;
  /** Null when the inviter gets the link. */
  readonly letter: PostedLetter | null;
  readonly actor: Actor;
}

/** An invitation's content. `account`: whether the address already has an account. */
export interface OpenInvitation {
  readonly email: string;
  readonly account: boolean;
}

export interface Joined {
  readonly userId: number;
  readonly email: string;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly role: OrganizationRole;
}

interface Acceptance {
  readonly tokenHash: string;
  /** The address's account, proved by its password, or the data of a new one. */
  readonly user:
    | { readonly userId: number }
    | { readonly name: string; readonly passwordHash: string };
  readonly origin: Origin;
}

/** Invitations to an organization, in real time. At most one per address is open. */
export const invitationScripts = {
  /**
   * Replaces an open invitation of the same address.
   * @throws ServiceError AUTH_FORBIDDEN_PRINCIPAL, CONFLICT_DUPLICATE, POLICY_LIMIT_REACHED
   */
  create: write(async (tx, input: NewInvitation): Promise<Invitation> => {
    const { organizationId, email, role } = input;
    await tx.dialect.lock(tx, 'members');
    await assertStands(tx, input.actor);
    assertMayManage(await roleOf(tx, organizationId, input.userId), role);
    if (await isMember(tx, organizationId, email)) throw new ServiceError('CONFLICT_DUPLICATE');
    const now = await tx.realNow();
    await assertBelowLimit(tx, organizationId, now);
    await replaceOpen(tx, organizationId, email, now);
    const expiresAt = now + INVITATION_MS;
    await tx.db
      .insertInto('invitations')
      .values({
        id: input.id,
        organization_id: organizationId,
        email,
        role,
        token_hash: input.tokenHash,
        mailed: input.letter === null ? 0 : 1,
        invited_by: input.userId,
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    if (input.letter !== null) await postLetter(tx, input.letter, { wanted: true, now, expiresAt });
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'invitation.create',
      target: input.id,
      details: { role },
    });
    return { id: input.id, email, role, invitedBy: input.userId, createdAt: now, expiresAt };
  }),

  /** Open ones, newest first. */
  list: read(async (tx, organizationId: number): Promise<Invitation[]> => {
    const open = await selectOpenInvitations(tx);
    const rows = await open
      .select([
        'invitations.id',
        'invitations.email',
        'invitations.role',
        'invitations.invited_by',
        'invitations.created_at',
        'invitations.expires_at',
      ])
      .where('invitations.organization_id', '=', organizationId)
      .orderBy('invitations.created_at', 'desc')
      .orderBy('invitations.id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      email: row.email,
      role: row.role,
      invitedBy: row.invited_by,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND, AUTH_FORBIDDEN_PRINCIPAL */
  revoke: write(
    async (
      tx,
      input: { id: string; organizationId: number; userId: number; actor: Actor },
    ): Promise<void> => {
      const { id, organizationId } = input;
      await tx.dialect.lock(tx, 'members');
      const row = await tx.db
        .selectFrom('invitations')
        .select('role')
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
      assertMayManage(await roleOf(tx, organizationId, input.userId), row.role);
      await tx.db
        .updateTable('invitations')
        .set({ revoked_at: await tx.realNow() })
        .where('id', '=', id)
        .execute();
      await recordAct(tx, input.actor, { organizationId, act: 'invitation.revoke', target: id });
    },
  ),

  /** Null when the link cannot be used. */
  find: read(async (tx, tokenHash: string): Promise<OpenInvitation | null> => {
    const row = await findOpen(tx, tokenHash);
    if (row === undefined) return null;
    const user = await findAccount(tx, row.email);
    return { email: row.email, account: user !== undefined };
  }),

  /**
   * Makes the invited person a member. An account from another organization closes that one.
   * @throws ServiceError LINK_INVALID, CONFLICT_STATE
   */
  accept: write(async (tx, input: Acceptance): Promise<Joined> => {
    await tx.dialect.lock(tx, 'members');
    const invitation = await findOpen(tx, input.tokenHash);
    if (invitation === undefined) throw new ServiceError('LINK_INVALID');
    const { organization_id: organizationId, email, role } = invitation;
    await requireOrganization(tx, organizationId);
    const account = await findAccount(tx, email);
    const userId = await joinAs(tx, input.user, account, invitation);
    await tx.db
      .updateTable('invitations')
      .set({ accepted_at: await tx.realNow() })
      .where('id', '=', invitation.id)
      .execute();
    if (invitation.mailed === 1) await markVerified(tx, userId);
    await recordAct(tx, userActor(userId, input.origin), {
      organizationId,
      act: 'member.join',
      target: invitation.id,
      details: { role, user_id: userId, from: account?.organization_id ?? null },
    });
    const organizationName = invitation.organization_name;
    return { userId, email, organizationId, organizationName, role };
  }),

  purge: purgeInvitations,
};

async function findOpen(tx: Transaction, tokenHash: string) {
  const open = await selectOpenInvitations(tx);
  return open
    .select([
      'invitations.id',
      'invitations.organization_id',
      'organizations.name as organization_name',
      'invitations.email',
      'invitations.role',
      'invitations.mailed',
    ])
    .where('invitations.token_hash', '=', tokenHash)
    .executeTakeFirst();
}

type OpenRow = NonNullable<Awaited<ReturnType<typeof findOpen>>>;

async function findAccount(tx: Transaction, email: string) {
  return tx.db
    .selectFrom('users')
    .innerJoin('members', 'members.user_id', 'users.id')
    .select(['users.id', 'members.organization_id'])
    .where('users.email', '=', email)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** @throws ServiceError LINK_INVALID when an account was created or removed since the lookup; CONFLICT_STATE */
async function joinAs(
  tx: Transaction,
  proven: Acceptance['user'],
  account: Account | undefined,
  { organization_id: organizationId, email, role }: OpenRow,
): Promise<number> {
  const joined = { organization_id: organizationId, role, joined_at: tx.clock };
  if ('userId' in proven) {
    if (account?.id !== proven.userId) throw new ServiceError('LINK_INVALID');
    if (account.organization_id === organizationId) throw new ServiceError('CONFLICT_STATE');
    await assertMayBecome(tx, account.id, null, role);
    await closeLeftOrganization(tx, account.organization_id);
    await tx.db.updateTable('members').set(joined).where('user_id', '=', account.id).execute();
    await deleteIdentity(tx, account.id);
    await endSessionsOf(tx, account.id);
    return account.id;
  }
  if (account !== undefined) throw new ServiceError('LINK_INVALID');
  const userId = await createInvitedUser(tx, { ...proven, email });
  await tx.db
    .insertInto('members')
    .values({ user_id: userId, ...joined })
    .execute();
  return userId;
}

async function isMember(tx: Transaction, organizationId: number, email: string): Promise<boolean> {
  return (await findAccount(tx, email))?.organization_id === organizationId;
}

async function assertBelowLimit(
  tx: Transaction,
  organizationId: number,
  now: number,
): Promise<void> {
  const recent = await tx.db
    .selectFrom('invitations')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('created_at', '>', now - DAY_MS)
    .limit(MAX_PER_DAY)
    .execute();
  if (recent.length >= MAX_PER_DAY) throw new ServiceError('POLICY_LIMIT_REACHED');
}

async function replaceOpen(
  tx: Transaction,
  organizationId: number,
  email: string,
  now: number,
): Promise<void> {
  await tx.db
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
}
