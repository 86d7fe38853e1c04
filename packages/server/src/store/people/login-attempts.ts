import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../rules/durations.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { addressKey } from '../../rules/principals/address-key.ts';
import { recordAct } from '../transactions/audit.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { type Transaction, write } from '../transactions/script.ts';

const WINDOW_MS = 15 * 60_000;
/** Rows of each act an hour in the audit log: whoever has many addresses must not fill the disk. */
const NOTED_PER_HOUR = 1_000;
const PER_ADDRESS = 5;
const PER_DAY = 50;
/** How long an address is known after a successful login from it. */
const KNOWN_MS = 30 * DAY_MS;

interface Attempt {
  readonly emailHash: string;
  readonly address: string;
}

/** A limit was reached, or a guess was made at an address that no user has. */
export interface MetLimit {
  readonly act: 'address.limit' | 'password.limit' | 'password.refuse';
  /** With an address, or nothing is recorded. */
  readonly actor: Actor;
  readonly organizationId: number | null;
  /** Id of the user whose password was asked for. */
  readonly target?: string;
}

/**
 * Counts failed logins, in real time and for all processes: five per address and email in 15 minutes, fifty per email a
 * day. A known address has fifty of its own: guesses from elsewhere must not lock people out at the addresses they
 * usually use, and others may share these. An attempt counts from its start, so that parallel attempts cannot bypass the
 * limit.
 */
export const loginAttemptScripts = {
  /** Null when the attempt may proceed, otherwise the seconds to wait. */
  begin: write(async (tx, { emailHash, address }: Attempt): Promise<number | null> => {
    await tx.dialect.lock(tx, `login:${emailHash}`);
    const now = await tx.realNow();
    const isOwn = await isKnown(tx, { emailHash, address }, now);
    const today = await tx.db
      .selectFrom('login_attempts')
      .select(['address', 'at'])
      .where('email_hash', '=', emailHash)
      .$if(isOwn, (query) => query.where('address', '=', address))
      .where('at', '>', now - DAY_MS)
      .orderBy('at', 'desc')
      .limit(PER_DAY)
      .execute();
    const recent = today.filter((each) => each.address === address && each.at > now - WINDOW_MS);
    const freeAt = Math.max(
      freeAgainAt(recent, PER_ADDRESS, WINDOW_MS),
      freeAgainAt(today, PER_DAY, DAY_MS),
    );
    const wait = Math.ceil((freeAt - now) / 1000);
    if (wait > 0) return wait;
    await tx.db
      .insertInto('login_attempts')
      .values({ email_hash: emailHash, address, at: now })
      .execute();
    return null;
  }),

  /** Removes the latest attempt, because it was none. */
  withdraw: write(async (tx, { emailHash, address }: Attempt): Promise<void> => {
    await tx.db
      .deleteFrom('login_attempts')
      .where('seq', '=', (eb) =>
        eb
          .selectFrom('login_attempts')
          .select((max) => max.fn.max('seq').as('seq'))
          .where('email_hash', '=', emailHash)
          .where('address', '=', address),
      )
      .execute();
  }),

  /** A success forgets earlier failures from the same address and makes the address known. */
  succeed: write(async (tx, { emailHash, address }: Attempt): Promise<void> => {
    await tx.db
      .deleteFrom('login_attempts')
      .where('email_hash', '=', emailHash)
      .where('address', '=', address)
      .execute();
    const at = await tx.realNow();
    await tx.db
      .insertInto('known_login_addresses')
      .values({ email_hash: emailHash, address, at })
      .onConflict((conflict) => conflict.columns(['email_hash', 'address']).doUpdateSet({ at }))
      .execute();
  }),

  /** Records it in the audit log, once an hour for each address and target. */
  noteLimit: write(async (tx, { act, actor, organizationId, target }: MetLimit): Promise<void> => {
    if (typeof actor.address !== 'string') return;
    const hour = Math.floor((await tx.realNow()) / HOUR_MS);
    const { noted } = await tx.db
      .selectFrom('noted_limits')
      .select(({ fn }) => fn.countAll<number>().as('noted'))
      .where('hour', '=', hour)
      .where('act', '=', act)
      .executeTakeFirstOrThrow();
    if (noted >= NOTED_PER_HOUR) return;
    const isNew = await tx.db
      .insertInto('noted_limits')
      .values({ hour, act, address: addressKey(actor.address), target: target ?? '' })
      .onConflict((conflict) => conflict.columns(['hour', 'act', 'address', 'target']).doNothing())
      .returning('hour')
      .executeTakeFirst();
    if (isNew === undefined) return;
    await recordAct(tx, actor, {
      organizationId,
      act,
      ...(target === undefined ? {} : { target }),
    });
  }),

  /** Deletes what no limit needs any longer. True while there may be more. */
  purge: write(async (tx): Promise<boolean> => {
    const now = await tx.realNow();
    const old = now - DAY_MS;
    const gone = await tx.db
      .deleteFrom('login_attempts')
      .where('seq', 'in', (eb) =>
        eb.selectFrom('login_attempts').select('seq').where('at', '<=', old).limit(BATCH_ROWS),
      )
      .executeTakeFirst();
    const noted = await tx.db
      .deleteFrom('noted_limits')
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple('hour', 'act', 'address', 'target')} in ${selectFrom(
            'noted_limits',
          )
            .select(['hour', 'act', 'address', 'target'])
            .where('hour', '<', Math.floor(old / HOUR_MS))
            .limit(BATCH_ROWS)}`,
      )
      .executeTakeFirst();
    const forgotten = await tx.db
      .deleteFrom('known_login_addresses')
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple('email_hash', 'address')} in ${selectFrom('known_login_addresses')
            .select(['email_hash', 'address'])
            .where('at', '<=', now - KNOWN_MS)
            .limit(BATCH_ROWS)}`,
      )
      .executeTakeFirst();
    return [gone, noted, forgotten].some(({ numDeletedRows }) => numDeletedRows >= BATCH_ROWS);
  }),
};

/** Within another script's transaction: for whoever proves the email's owner otherwise than by a password. */
export async function forgetAttempts(tx: Transaction, emailHash: string): Promise<void> {
  await tx.db.deleteFrom('login_attempts').where('email_hash', '=', emailHash).execute();
}

async function isKnown(
  tx: Transaction,
  { emailHash, address }: Attempt,
  now: number,
): Promise<boolean> {
  const known = await tx.db
    .selectFrom('known_login_addresses')
    .select('at')
    .where('email_hash', '=', emailHash)
    .where('address', '=', address)
    .where('at', '>', now - KNOWN_MS)
    .executeTakeFirst();
  return known !== undefined;
}

/** When the oldest of `limit` attempts leaves the window; 0 when there are fewer. Newest first. */
function freeAgainAt(
  attempts: readonly { readonly at: number }[],
  limit: number,
  windowMs: number,
): number {
  const oldest = attempts[limit - 1];
  return oldest === undefined ? 0 : oldest.at + windowMs;
}
