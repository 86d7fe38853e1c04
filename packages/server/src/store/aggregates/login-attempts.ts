import { write } from '../transactions/script.ts';

const WINDOW_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
const PER_ADDRESS = 5;
const PER_DAY = 50;

interface Attempt {
  readonly emailHash: string;
  readonly address: string;
}

/**
 * Counts failed logins, in real time and for all processes: five per address and
 * email in 15 minutes, fifty per email a day. An attempt counts from its beginning, so that parallel
 * attempts do not get around the limit.
 */
export const loginAttemptScripts = {
  /** Null when the attempt may go on, else the seconds to wait. */
  begin: write(async (tx, { emailHash, address }: Attempt): Promise<number | null> => {
    await tx.dialect.lock(tx.db, `login:${emailHash}`);
    const now = await tx.realNow();
    const today = await tx.db
      .selectFrom('login_attempts')
      .select(['address', 'at'])
      .where('email_hash', '=', emailHash)
      .where('at', '>', now - DAY_MS)
      .orderBy('at', 'desc')
      .limit(PER_DAY)
      .execute();
    const recent = today.filter((each) => each.address === address && each.at > now - WINDOW_MS);
    const waits = [
      freeAgainAt(recent, PER_ADDRESS, WINDOW_MS),
      freeAgainAt(today, PER_DAY, DAY_MS),
    ].map((at) => Math.ceil((at - now) / 1000));
    const wait = Math.max(...waits);
    if (wait > 0) return wait;
    await tx.db
      .insertInto('login_attempts')
      .values({ email_hash: emailHash, address, at: now })
      .execute();
    return null;
  }),

  /** A success forgets the failures before it from the same address. */
  succeed: write(async (tx, { emailHash, address }: Attempt): Promise<void> => {
    await tx.db
      .deleteFrom('login_attempts')
      .where('email_hash', '=', emailHash)
      .where('address', '=', address)
      .execute();
  }),

  /** Forgets at most 500 attempts that no limit looks at any more. Answers how many. */
  purge: write(async (tx): Promise<number> => {
    const old = (await tx.realNow()) - DAY_MS;
    const gone = await tx.db
      .deleteFrom('login_attempts')
      .where('seq', 'in', (eb) =>
        eb.selectFrom('login_attempts').select('seq').where('at', '<=', old).limit(500),
      )
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  }),
};

/** When the oldest of `limit` attempts leaves the window; 0 when there are fewer. Newest first. */
function freeAgainAt(
  attempts: readonly { readonly at: number }[],
  limit: number,
  windowMs: number,
): number {
  const oldest = attempts[limit - 1];
  return oldest === undefined ? 0 : oldest.at + windowMs;
}
