import { HOUR_MS } from '../../rules/durations.ts';
import { type Actor, type Origin, userActor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { type PostedLetter, postLetter } from '../mail/mail-outbox.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { endForeignAccess } from './foreign-access.ts';
import { forgetAttempts } from './login-attempts.ts';
import { lockFactors } from './own-factors.ts';

export const VERIFY_EMAIL_MS = 72 * HOUR_MS;
export const PASSWORD_RESET_MS = HOUR_MS;
/** Links of one kind per address and hour. Beyond that, nothing is sent. */
const MAX_PER_HOUR = 3;

type Kind = 'verify_email' | 'password_reset';

interface LinkRequest {
  readonly kind: Kind;
  readonly tokenHash: string;
  /** Lower case. */
  readonly email: string;
  readonly emailHash: string;
  /** Null when the link is not sent but returned. */
  readonly letter: PostedLetter | null;
  /** An operator who asks on behalf of a user has no limit. */
  readonly operator?: Actor;
}

/** Links that prove an address: each works once, until it expires or the password changes. */
export const oneTimeLinkScripts = {
  /**
   * Creates a link for the owner of this address. The same statements run for an unknown address.
   * Returns whether it is known and had fewer than the limit, which strangers must not learn.
   */
  request: write(async (tx, input: LinkRequest): Promise<boolean> => {
    await tx.dialect.lock(tx, `link:${input.emailHash}`);
    const now = await tx.realNow();
    const recent = await tx.db
      .selectFrom('one_time_links')
      .select('token_hash')
      .where('email_hash', '=', input.emailHash)
      .where('kind', '=', input.kind)
      .where('created_at', '>', now - HOUR_MS)
      .execute();
    if (recent.length >= MAX_PER_HOUR && !input.operator) return false;
    const user = await tx.db
      .selectFrom('users')
      .select(['id', 'password_epoch'])
      .where('email', '=', input.email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    const expiresAt = now + (input.kind === 'verify_email' ? VERIFY_EMAIL_MS : PASSWORD_RESET_MS);
    await tx.db
      .insertInto('one_time_links')
      .values({
        token_hash: input.tokenHash,
        kind: input.kind,
        user_id: user?.id ?? null,
        email_hash: input.emailHash,
        password_epoch: user?.password_epoch ?? null,
        mailed: input.letter === null ? 0 : 1,
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    if (input.letter !== null) {
      await postLetter(tx, input.letter, { wanted: user !== undefined, now, expiresAt });
    }
    if (user !== undefined && input.operator) await recordLink(tx, input.operator, user.id);
    return user !== undefined;
  }),

  /** @throws ServiceError LINK_INVALID */
  verifyEmail: write(
    async (
      tx,
      input: { tokenHash: string; origin: Origin },
    ): Promise<{ readonly email: string }> => {
      const link = await useLink(tx, 'verify_email', input.tokenHash);
      if (link.mailed) await markVerified(tx, link.userId);
      await recordAct(tx, userActor(link.userId, input.origin), {
        organizationId: link.organizationId,
        act: 'user.verify_email',
      });
      return { email: link.email };
    },
  ),

  /**
   * Ends every session, and forgets the guesses at the password that it replaces. A link that was sent proves the
   * address too; if nothing did before, what others may have set up ends.
   * @throws ServiceError LINK_INVALID
   */
  resetPassword: write(
    async (
      tx,
      input: { tokenHash: string; passwordHash: string; origin: Origin },
    ): Promise<{ readonly changedAt: number }> => {
      // Before any row, as everyone else takes it.
      await tx.dialect.lock(tx, 'members');
      const link = await useLink(tx, 'password_reset', input.tokenHash);
      // Before the sessions, as whoever changes the factors does; the change then sees that the password has changed.
      await lockFactors(tx, link.userId);
      await tx.db
        .updateTable('users')
        .set((eb) => ({
          password_hash: input.passwordHash,
          password_epoch: eb('password_epoch', '+', 1),
        }))
        .where('id', '=', link.userId)
        .execute();
      await tx.db.deleteFrom('console_sessions').where('user_id', '=', link.userId).execute();
      await forgetAttempts(tx, link.emailHash);
      const actor = userActor(link.userId, input.origin);
      if (link.mailed && (await markVerified(tx, link.userId))) {
        await endForeignAccess(tx, { ...link, actor });
      }
      await recordAct(tx, actor, {
        organizationId: link.organizationId,
        act: 'user.reset_password',
      });
      return { changedAt: await tx.now() };
    },
  ),

  /** The address of a reset link, without using it. Null when it cannot be used. */
  emailOf: read(async (tx, tokenHash: string): Promise<string | null> => {
    return (await findLink(tx, 'password_reset', tokenHash))?.email ?? null;
  }),

  /** Deletes expired ones. True while there may be more. */
  purge: write(async (tx): Promise<boolean> => {
    // Used ones still count towards the hourly limit.
    const old = (await tx.realNow()) - HOUR_MS;
    const gone = await tx.db
      .deleteFrom('one_time_links')
      .where('token_hash', 'in', (eb) =>
        eb
          .selectFrom('one_time_links')
          .select('token_hash')
          .where('expires_at', '<=', old)
          .limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    return gone.numDeletedRows >= BATCH_ROWS;
  }),
};

interface UsableLink {
  readonly userId: number;
  readonly organizationId: number;
  readonly email: string;
  readonly emailHash: string;
  readonly mailed: boolean;
}

async function findLink(
  tx: Transaction,
  kind: Kind,
  tokenHash: string,
): Promise<UsableLink | null> {
  const row = await tx.db
    .selectFrom('one_time_links as link')
    .innerJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'link.user_id')
        .onRef('users.password_epoch', '=', 'link.password_epoch'),
    )
    .innerJoin('members', 'members.user_id', 'users.id')
    .select([
      'users.id',
      'users.email',
      'members.organization_id',
      'link.email_hash',
      'link.mailed',
    ])
    .where('link.token_hash', '=', tokenHash)
    .where('link.kind', '=', kind)
    .where('link.used_at', 'is', null)
    .where('link.expires_at', '>', await tx.realNow())
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row || row.email === null) return null;
  return {
    userId: row.id,
    organizationId: row.organization_id,
    email: row.email,
    emailHash: row.email_hash,
    mailed: row.mailed === 1,
  };
}

async function useLink(tx: Transaction, kind: Kind, tokenHash: string): Promise<UsableLink> {
  await tx.dialect.lock(tx, `link:${tokenHash}`);
  const link = await findLink(tx, kind, tokenHash);
  if (link === null) throw new ServiceError('LINK_INVALID');
  await tx.db
    .updateTable('one_time_links')
    .set({ used_at: await tx.realNow() })
    .where('token_hash', '=', tokenHash)
    .execute();
  return link;
}

/** The secret sent to the address has come back. False when one came back before. */
export async function markVerified(tx: Transaction, userId: number): Promise<boolean> {
  const verified = await tx.db
    .updateTable('users')
    .set({ email_verified_at: tx.clock })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  return verified.numUpdatedRows > 0n;
}

/** Such a link lets an operator take over an account, so the organization's audit log records it. */
async function recordLink(tx: Transaction, operator: Actor, userId: number): Promise<void> {
  const member = await tx.db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  await recordAct(tx, operator, {
    organizationId: member?.organization_id ?? null,
    act: 'user.reset_link',
    target: String(userId),
  });
}
