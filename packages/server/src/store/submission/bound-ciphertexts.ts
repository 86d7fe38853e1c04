import { sql } from 'kysely';
import type {
  CiphertextUse,
  ReceivedCiphertexts,
} from '../../rules/submission/bind-ciphertexts.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { inLockOrder } from '../transactions/lock-order.ts';
import { type Transaction, write } from '../transactions/script.ts';

export interface Binding extends ReceivedCiphertexts {
  readonly organizationId: number;
  /** The link or identity that they are for; null while unknown. */
  readonly target: string | null;
}

/** Records for which field and link each ciphertext was received; it cannot be used for any other. */
export const boundCiphertextScripts = {
  /** Returns the first field whose ciphertext is bound elsewhere; null when there is none. */
  bind: write(async (tx, binding: Binding): Promise<string | null> => {
    const refused = await bindCiphertexts(tx, [binding]);
    return binding.uses.find((use) => refused.has(use))?.field ?? null;
  }),

  /** Deletes those that no job can wait with any longer. True while there may be more. */
  purge: write(async (tx): Promise<boolean> => {
    const now = await tx.realNow();
    const gone = await tx.db
      .deleteFrom('bound_ciphertexts')
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple('organization_id', 'hash')} in ${selectFrom('bound_ciphertexts')
            .select(['organization_id', 'hash'])
            .where('expires_at', '<=', now)
            .limit(BATCH_ROWS)}`,
      )
      .executeTakeFirst();
    return gone.numDeletedRows >= BATCH_ROWS;
  }),
};

/** Returns the uses whose ciphertext is bound elsewhere. Sends everything at once, and nothing where there is none. */
export async function bindCiphertexts(
  tx: Transaction,
  bindings: readonly Binding[],
): Promise<ReadonlySet<CiphertextUse>> {
  const lines = bindings
    .flatMap(({ uses, ...binding }) => uses.map((use) => ({ ...binding, ...use, use })))
    .toSorted((a, b) => a.organizationId - b.organizationId || inLockOrder(a.hash, b.hash));
  const bound = await Promise.all(lines.map(async (line) => bindOne(tx, line)));
  return new Set(lines.filter((_, n) => bound[n]?.length === 0).map(({ use }) => use));
}

const bindOne = compiled((tx, slot: SlotOf<Omit<Binding, 'uses'> & CiphertextUse>) =>
  tx.db
    .insertInto('bound_ciphertexts')
    .values({
      organization_id: slot('organizationId'),
      hash: slot('hash'),
      field: slot('field'),
      target: slot('target'),
      expires_at: sql`${tx.dialect.clock} + cast(${slot('keptMs')} as bigint)`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'hash'])
        .doUpdateSet({ target: sql`coalesce(bound_ciphertexts.target, excluded.target)` })
        .where(sql<boolean>`bound_ciphertexts.field = excluded.field`)
        .where(sql<boolean>`(bound_ciphertexts.target is null or excluded.target is null
            or bound_ciphertexts.target = excluded.target)`),
    )
    .returning('hash'),
);
