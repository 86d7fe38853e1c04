import { sql } from 'kysely';
import { type Transaction, write } from '../transactions/script.ts';

export interface CiphertextUse {
  /** Keyed hash of the ciphertext. */
  readonly hash: string;
  readonly field: string;
}

export interface Binding {
  readonly organizationId: number;
  readonly uses: readonly CiphertextUse[];
  /** The link or identity that it is for; null while unknown. */
  readonly target: string | null;
  readonly expiresAt: number;
}

/** Records for which field and link each ciphertext was received; it cannot be used for any other. */
export const boundCiphertextScripts = {
  /** Returns the first field whose ciphertext is bound elsewhere; null when there is none. */
  bind: write(async (tx, binding: Binding): Promise<string | null> => {
    let refused: string | null = null;
    for (const use of binding.uses) {
      if (!(await bindOne(tx, binding, use))) refused ??= use.field;
    }
    return refused;
  }),

  /** Deletes at most 500 that no job can wait with any longer. Returns how many. */
  purge: write(async (tx, now: number): Promise<number> => {
    const gone = await tx.db
      .deleteFrom('bound_ciphertexts')
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple('organization_id', 'hash')} in ${selectFrom('bound_ciphertexts')
            .select(['organization_id', 'hash'])
            .where('expires_at', '<=', now)
            .limit(500)}`,
      )
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  }),
};

async function bindOne(
  tx: Transaction,
  { organizationId, target, expiresAt }: Binding,
  { hash, field }: CiphertextUse,
): Promise<boolean> {
  const bound = await tx.db
    .insertInto('bound_ciphertexts')
    .values({ organization_id: organizationId, hash, field, target, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'hash'])
        .doUpdateSet({ target: sql`coalesce(bound_ciphertexts.target, excluded.target)` })
        .where('bound_ciphertexts.field', '=', field)
        .where(sql<boolean>`(bound_ciphertexts.target is null or excluded.target is null
          or bound_ciphertexts.target = excluded.target)`),
    )
    .returning('hash')
    .executeTakeFirst();
  return bound !== undefined;
}
