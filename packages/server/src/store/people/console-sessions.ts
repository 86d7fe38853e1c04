import type { Actor } from '../../rules/principals/actor.ts';
import {
  CONSOLE_SESSION_IDLE_MS,
  FRESH_LOGIN_MS,
  SESSION_TOUCH_MS,
} from '../../rules/principals/session-limits.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { selectUsers, type UserFacts, userOf } from './users.ts';

/** Open sessions per user; another one ends the oldest. */
const MAX_SESSIONS = 200;

interface Opening {
  readonly id: string;
  readonly userId: number;
  /** SHA-256 of the cookie's secret; null for a token's session. */
  readonly secretHash: string | null;
  readonly passwordEpoch: number;
  readonly address: string;
  readonly userAgent: string | null;
  readonly lifeMs: number;
  /** Where an identity provider vouches for the person. */
  readonly vouched?: VouchedOpening;
}

export interface VouchedOpening {
  readonly providerSid: string | null;
  /** Sealed. */
  readonly tokens: Uint8Array;
  readonly vouchedForMs: number;
  readonly checkAfterMs: number;
  /** The provider vouches for a second factor too. */
  readonly factor: boolean;
}

export interface ConsoleSession {
  readonly id: string;
  readonly kind: 'cookie' | 'token';
  readonly address: string;
  readonly userAgent: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** An open session with its user's current state. */
export interface SessionFacts extends UserFacts {
  readonly sessionId: string;
  readonly expiresAt: number;
  /** The last recorded use is too long ago. */
  readonly dueForTouch: boolean;
  /** When an identity provider let the person in; null: the person has proven it here. */
  readonly vouched: 'just_now' | 'earlier' | null;
}

/** Open logins, in real time. Ended ones are deleted. */
export const consoleSessionScripts = {
  /** Returns when it ends at the latest. */
  open: write(async (tx, input: Opening): Promise<{ readonly expiresAt: number }> => {
    const now = await tx.realNow();
    const expiresAt = now + input.lifeMs;
    await tx.db
      .insertInto('console_sessions')
      .values({
        id: input.id,
        user_id: input.userId,
        secret_hash: input.secretHash,
        password_epoch: input.passwordEpoch,
        address: input.address,
        user_agent: input.userAgent,
        created_at: now,
        last_used_at: now,
        expires_at: expiresAt,
        vouched_until: input.vouched === undefined ? null : now + input.vouched.vouchedForMs,
        factor_vouched: input.vouched === undefined ? null : Number(input.vouched.factor),
      })
      .execute();
    if (input.vouched !== undefined) await addVouched(tx, input, input.vouched, now);
    await endOldest(tx, input.userId);
    return { expiresAt };
  }),

  /** Null when it has ended, the password has changed since, or the user no longer exists. */
  find: read(
    async (tx, by: { id: string } | { secretHash: string }): Promise<SessionFacts | null> => {
      const query = selectUsers(tx)
        .innerJoin('console_sessions as session', 'session.user_id', 'users.id')
        .whereRef('session.password_epoch', '=', 'users.password_epoch')
        .select([
          'session.id as session_id',
          'session.secret_hash',
          'session.last_used_at',
          'session.expires_at',
          'session.created_at as session_created_at',
          'session.vouched_until',
          'session.factor_vouched',
          tx.dialect.clock.as('real_now'),
        ]);
      const row = await ('id' in by
        ? query.where('session.id', '=', by.id)
        : query.where('session.secret_hash', '=', by.secretHash)
      ).executeTakeFirst();
      const user = row && userOf(row);
      if (!row || !user || !isOpen(row, row.real_now)) return null;
      return {
        ...user,
        mustAddFactor: user.mustAddFactor && row.factor_vouched !== 1,
        vouched: vouchedOf(row),
        sessionId: row.session_id,
        expiresAt: row.expires_at,
        dueForTouch: row.real_now - row.last_used_at >= SESSION_TOUCH_MS,
      };
    },
  ),

  /** Records that a session is in use. */
  touch: write(async (tx, id: string): Promise<void> => {
    await tx.db
      .updateTable('console_sessions')
      .set({ last_used_at: await tx.realNow() })
      .where('id', '=', id)
      .execute();
  }),

  /** The user's open sessions, newest first. */
  list: read(async (tx, userId: number): Promise<ConsoleSession[]> => {
    const now = await tx.realNow();
    const rows = await tx.db
      .selectFrom('console_sessions')
      .innerJoin('users', (join) =>
        join
          .onRef('users.id', '=', 'console_sessions.user_id')
          .onRef('users.password_epoch', '=', 'console_sessions.password_epoch'),
      )
      .select(COLUMNS.console_sessions)
      .where('user_id', '=', userId)
      .orderBy('console_sessions.created_at', 'desc')
      .orderBy('console_sessions.id')
      .execute();
    return rows
      .filter((row) => isOpen(row, now))
      .map((row) => ({
        id: row.id,
        kind: row.secret_hash === null ? 'token' : 'cookie',
        address: row.address,
        userAgent: row.user_agent,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
      }));
  }),

  /** @throws ServiceError RESOURCE_NOT_FOUND when it is not an open session of this user */
  end: write(
    async (
      tx,
      input: { id: string; userId: number; organizationId: number; actor: Actor },
    ): Promise<void> => {
      const gone = await tx.db
        .deleteFrom('console_sessions')
        .where('id', '=', input.id)
        .where('user_id', '=', input.userId)
        .executeTakeFirst();
      if (gone.numDeletedRows === 0n) throw new ServiceError('RESOURCE_NOT_FOUND');
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'session.end',
        target: input.id,
      });
    },
  ),

  /** Ends every session of a user and invalidates tokens without one. Returns how many were open. */
  endAll: write(
    async (
      tx,
      input: { userId: number; organizationId: number; actor: Actor },
    ): Promise<number> => {
      const ended = await endSessionsOf(tx, input.userId);
      await recordAct(tx, input.actor, {
        organizationId: input.organizationId,
        act: 'session.end_all',
        target: String(input.userId),
      });
      return ended;
    },
  ),

  /** Deletes expired ones. True while there may be more. */
  purge: write(async (tx): Promise<boolean> => {
    const now = await tx.realNow();
    const gone = await tx.db
      .deleteFrom('console_sessions')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('console_sessions')
          .select('id')
          .where((or) =>
            or.or([
              or('expires_at', '<=', now),
              or('vouched_until', '<=', now),
              or.and([
                or('secret_hash', 'is not', null),
                or('last_used_at', '<=', now - CONSOLE_SESSION_IDLE_MS),
              ]),
            ]),
          )
          .limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    return gone.numDeletedRows >= BATCH_ROWS;
  }),
};

/**
 * Runs in the caller's transaction. A new epoch invalidates every token and session, also for a
 * process of a version without sessions.
 */
export async function endSessionsOf(tx: Transaction, userId: number): Promise<number> {
  await tx.db
    .updateTable('users')
    .set((eb) => ({ password_epoch: eb('password_epoch', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  const gone = await tx.db
    .deleteFrom('console_sessions')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

interface Ends {
  readonly secret_hash: string | null;
  readonly last_used_at: number;
  readonly expires_at: number;
  readonly vouched_until: number | null;
}

function isOpen(row: Ends, now: number): boolean {
  const idle = row.secret_hash !== null && row.last_used_at + CONSOLE_SESSION_IDLE_MS <= now;
  return row.expires_at > now && (row.vouched_until ?? row.expires_at) > now && !idle;
}

function vouchedOf(row: {
  readonly vouched_until: number | null;
  readonly session_created_at: number;
  readonly real_now: number;
}): SessionFacts['vouched'] {
  if (row.vouched_until === null) return null;
  return row.real_now - row.session_created_at < FRESH_LOGIN_MS ? 'just_now' : 'earlier';
}

async function addVouched(
  tx: Transaction,
  { id, userId }: Pick<Opening, 'id' | 'userId'>,
  { providerSid, tokens, checkAfterMs }: VouchedOpening,
  now: number,
): Promise<void> {
  await tx.db
    .insertInto('vouched_sessions')
    .values({
      session_id: id,
      user_id: userId,
      provider_sid: providerSid,
      tokens,
      next_check_at: now + checkAfterMs,
    })
    .execute();
}

async function endOldest(tx: Transaction, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('console_sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('console_sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(BATCH_ROWS)
        .offset(MAX_SESSIONS),
    )
    .execute();
}
