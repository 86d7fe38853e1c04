import { read, type Transaction, write } from '../transactions/script.ts';

const BATCH = 20;

/** A sealed message for the outbox. */
export interface PostedLetter {
  readonly id: string;
  readonly letter: Uint8Array;
}

export interface ClaimedLetter extends PostedLetter {
  /** Including this one. */
  readonly attempts: number;
  readonly expiresAt: number;
}

/** Messages waiting to be sent, in real time. Sent and expired ones are deleted. */
export const mailOutboxScripts = {
  /**
   * Takes messages that are due. Until `leaseMs` have passed no other process gets them; if this process dies,
   * another one sends them then.
   */
  claim: write(async (tx, { leaseMs }: { leaseMs: number }): Promise<ClaimedLetter[]> => {
    const now = await tx.realNow();
    await tx.db
      .deleteFrom('mail_outbox')
      .where((or) => or.or([or('expires_at', '<=', now), or('wanted', '=', 0)]))
      .where('next_attempt_at', '<=', now)
      .execute();
    await tx.dialect.lock(tx, 'mail_outbox');
    const rows = await tx.db
      .updateTable('mail_outbox')
      .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: now + leaseMs }))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('mail_outbox')
          .select('id')
          .where('next_attempt_at', '<=', now)
          .orderBy('next_attempt_at')
          .limit(BATCH),
      )
      .returning(['id', 'letter', 'attempts', 'expires_at'])
      .execute();
    return rows.map(({ id, letter, attempts, expires_at: expiresAt }) => ({
      id,
      letter,
      attempts,
      expiresAt,
    }));
  }),

  /** Waiting messages, due or not: for tests. */
  waiting: read(
    async (tx): Promise<{ readonly id: string; readonly attempts: number }[]> =>
      tx.db
        .selectFrom('mail_outbox')
        .select(['id', 'attempts'])
        .where('wanted', '=', 1)
        .orderBy('next_attempt_at')
        .limit(BATCH)
        .execute(),
  ),

  /** Sent, or never to be sent. */
  remove: write(async (tx, id: string): Promise<void> => {
    await tx.db.deleteFrom('mail_outbox').where('id', '=', id).execute();
  }),

  retryIn: write(async (tx, input: { id: string; delayMs: number }): Promise<void> => {
    await tx.db
      .updateTable('mail_outbox')
      .set({ next_attempt_at: (await tx.realNow()) + input.delayMs })
      .where('id', '=', input.id)
      .execute();
  }),
};

/**
 * Adds a message to the outbox in the caller's transaction. A message without a recipient costs as much,
 * so that timing reveals nothing.
 */
export async function postLetter(
  tx: Transaction,
  letter: PostedLetter,
  { wanted, now, expiresAt }: { wanted: boolean; now: number; expiresAt: number },
): Promise<void> {
  await tx.db
    .insertInto('mail_outbox')
    .values({
      id: letter.id,
      letter: letter.letter,
      wanted: wanted ? 1 : 0,
      next_attempt_at: now,
      expires_at: expiresAt,
    })
    .execute();
}
