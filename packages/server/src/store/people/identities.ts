import type { OrganizationRole } from '@changgu/contract';
import { type Actor, type Origin, userActor } from '../../rules/principals/actor.ts';
import type { VouchedRows } from '../../rules/principals/vouched-login.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { endSessionsOf } from './console-sessions.ts';
import { createInvitedUser } from './invited-user.ts';
import { mayVouch } from './login-domains.ts';
import { markVerified } from './one-time-links.ts';
import { selectOpenInvitations } from './open-invitations.ts';
import { selectUsers, type UserFacts, userOf } from './users.ts';

/** Who an identity provider says that a person is. */
export interface Identity {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
}

interface VouchedAddress {
  /** Lower case, and verified by the provider. */
  readonly email: string;
  readonly domain: string;
}

interface Joining extends Identity, VouchedAddress {
  readonly invitationId: string;
  readonly name: string;
  /** Of a random password that is not stored. */
  readonly passwordHash: string;
  readonly origin: Origin;
}

interface Pinning extends Identity, VouchedAddress {
  readonly userId: number;
  readonly actor: Actor;
}

/** Who people are at identity providers. */
export const identityScripts = {
  /** What decides about a login that a provider vouches for. */
  find: read(async (tx, input: Identity & VouchedAddress): Promise<VouchedRows<UserFacts>> => {
    const { provider, issuer, subject, domain, email } = input;
    const pinned = await selectUsers(tx)
      .innerJoin('identities', 'identities.user_id', 'users.id')
      .where('identities.issuer', '=', issuer)
      .where('identities.subject', '=', subject)
      .executeTakeFirst();
    const user = (pinned && userOf(pinned)) ?? null;
    const isKnown = user !== null || (await isPinned(tx, issuer, subject));
    const invitation = isKnown ? undefined : await findInvitation(tx, { provider, domain, email });
    return {
      isKnown,
      user,
      mayVouch:
        user !== null &&
        (await mayVouch(tx, { organizationId: user.organizationId, provider, domain })),
      hasAccount: !isKnown && (await hasAccount(tx, input)),
      invitation: invitation ?? null,
    };
  }),

  /** The provider that a user logs in at, or null. */
  providerOf: read(async (tx, userId: number): Promise<string | null> => {
    const row = await tx.db
      .selectFrom('identities')
      .select('provider')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.provider ?? null;
  }),

  /**
   * Makes a member of who was invited, with an account that this identity alone opens.
   * @throws ServiceError LINK_INVALID when the invitation, the domain or the address no longer allows it
   */
  join: write(async (tx, input: Joining): Promise<UserFacts> => {
    await tx.dialect.lock(tx, 'members');
    const invitation = await findInvitation(tx, input);
    if (invitation?.id !== input.invitationId) throw new ServiceError('LINK_INVALID');
    const { organizationId, role } = invitation;
    const userId = await createInvitedUser(tx, input);
    await tx.db
      .insertInto('members')
      .values({ user_id: userId, organization_id: organizationId, role, joined_at: tx.clock })
      .execute();
    const now = await tx.realNow();
    await tx.db
      .updateTable('invitations')
      .set({ accepted_at: now })
      .where('id', '=', invitation.id)
      .execute();
    await markVerified(tx, userId);
    await insert(tx, userId, input, now);
    await recordAct(tx, userActor(userId, input.origin), {
      organizationId,
      act: 'member.join',
      target: invitation.id,
      details: { role, user_id: userId, from: null, provider: input.provider },
    });
    return requireUser(tx, userId);
  }),

  /**
   * From now on the user logs in at the provider only. Ends every session.
   * @throws ServiceError AUTH_PROVIDER_REFUSED: another address, a domain that is not allowed, or pinned already
   */
  pin: write(async (tx, input: Pinning): Promise<UserFacts> => {
    await tx.dialect.lock(tx, 'members');
    const user = await requireUser(tx, input.userId);
    const { organizationId } = user;
    const refused =
      user.email !== input.email ||
      !(await mayVouch(tx, { organizationId, provider: input.provider, domain: input.domain })) ||
      (await isPinned(tx, input.issuer, input.subject)) ||
      (await providerOf(tx, user.userId)) !== null;
    if (refused) throw new ServiceError('AUTH_PROVIDER_REFUSED');
    await insert(tx, user.userId, input, await tx.realNow());
    await markVerified(tx, user.userId);
    await endSessionsOf(tx, user.userId);
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'identity.pin',
      target: String(user.userId),
      details: { provider: input.provider },
    });
    return requireUser(tx, user.userId);
  }),

  /**
   * An operator's way back to passwords, when a provider is gone. Ends every session.
   * @throws ServiceError RESOURCE_NOT_FOUND
   */
  unpin: write(async (tx, input: { email: string; actor: Actor }): Promise<void> => {
    const found = await tx.db
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.user_id')
      .innerJoin('members', 'members.user_id', 'users.id')
      .select(['users.id', 'members.organization_id', 'identities.provider'])
      .where('users.email', '=', input.email)
      .executeTakeFirst();
    if (found === undefined)
      throw new ServiceError('RESOURCE_NOT_FOUND', {
        missing: `account ${input.email} that logs in at a provider`,
      });
    await deleteIdentity(tx, found.id);
    await endSessionsOf(tx, found.id);
    await recordAct(tx, input.actor, {
      organizationId: found.organization_id,
      act: 'identity.unpin',
      target: String(found.id),
      details: { provider: found.provider },
    });
  }),

  /** Notes a login. */
  used: write(async (tx, userId: number): Promise<void> => {
    await tx.db
      .updateTable('identities')
      .set({ last_login_at: await tx.realNow() })
      .where('user_id', '=', userId)
      .execute();
  }),
};

/** Within the transaction in which the user changes the organization: another one may have another provider. */
export async function deleteIdentity(tx: Transaction, userId: number): Promise<void> {
  await tx.db.deleteFrom('identities').where('user_id', '=', userId).execute();
}

/** Also of a user who is switched off: such an identity joins nothing. */
async function isPinned(tx: Transaction, issuer: string, subject: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row !== undefined;
}

async function providerOf(tx: Transaction, userId: number): Promise<string | null> {
  return identityScripts.providerOf.run(tx, userId);
}

/** Of an account whose organization lets the provider vouch for the address: others are none of its business. */
async function hasAccount(
  tx: Transaction,
  { email, provider, domain }: VouchedAddress & Pick<Identity, 'provider'>,
): Promise<boolean> {
  const row = await selectUsers(tx).where('users.email', '=', email).executeTakeFirst();
  if (row === undefined) return false;
  return mayVouch(tx, { organizationId: row.organization_id, provider, domain });
}

interface OpenInvitation {
  readonly id: string;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly role: OrganizationRole;
}

/** The newest into an organization where the provider may vouch for the address. */
async function findInvitation(
  tx: Transaction,
  { provider, domain, email }: VouchedAddress & Pick<Identity, 'provider'>,
): Promise<OpenInvitation | undefined> {
  const open = await selectOpenInvitations(tx);
  const row = await open
    .innerJoin('login_domains', 'login_domains.organization_id', 'organizations.id')
    .select([
      'invitations.id',
      'invitations.role',
      'organizations.id as organization_id',
      'organizations.name as organization_name',
    ])
    .where('invitations.email', '=', email)
    .where('login_domains.provider', '=', provider)
    .where('login_domains.domain', '=', domain)
    .orderBy('invitations.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      organizationId: row.organization_id,
      organizationName: row.organization_name,
      role: row.role,
    }
  );
}

async function insert(tx: Transaction, userId: number, identity: Identity, now: number) {
  const { provider, issuer, subject } = identity;
  await tx.db
    .insertInto('identities')
    .values({ user_id: userId, provider, issuer, subject, created_at: now, last_login_at: now })
    .execute();
}

async function requireUser(tx: Transaction, userId: number): Promise<UserFacts> {
  const row = await selectUsers(tx).where('users.id', '=', userId).executeTakeFirst();
  const user = row && userOf(row);
  if (!user) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return user;
}
