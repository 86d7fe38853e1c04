import type { WrappedDataKey } from '../../crypto/data-keys.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { KEYS } from './ring-keys.ts';

const MASTER_KEY_CHECK = 'master_key_check';

interface NewKey {
  readonly scope: string;
  readonly wrapped: Uint8Array;
}

const KEY_COLUMNS = ['wrapped', 'generation', 'previous'] as const;

/** Data keys wrapped by the master key, and the id of that master key. */
export const organizationKeyScripts = {
  load: read(async (tx, scope: string): Promise<WrappedDataKey | null> => {
    const row = await tx.db
      .selectFrom('organization_keys')
      .select(KEY_COLUMNS)
      .where('scope', '=', scope)
      .executeTakeFirst();
    return row ?? null;
  }),

  /** Returns the key that is stored then: the first writer's. */
  saveIfAbsent: write(async (tx, { scope, wrapped }: NewKey): Promise<WrappedDataKey> => {
    await tx.db
      .insertInto('organization_keys')
      .values({ scope, wrapped })
      .onConflict((conflict) => conflict.column('scope').doNothing())
      .execute();
    return tx.db
      .selectFrom('organization_keys')
      .select(KEY_COLUMNS)
      .where('scope', '=', scope)
      .executeTakeFirstOrThrow();
  }),

  identityKey: read(async (tx, scope: string): Promise<Uint8Array | null> => {
    const row = await tx.db
      .selectFrom('organization_keys')
      .select('identity_key')
      .where('scope', '=', scope)
      .executeTakeFirst();
    return row?.identity_key ?? null;
  }),

  /** Returns the identity key that is stored then: the first writer's. The data key must exist. */
  saveIdentityKeyIfAbsent: write(
    async (tx, input: { scope: string; sealed: Uint8Array }): Promise<Uint8Array> => {
      await tx.db
        .updateTable('organization_keys')
        .set({ identity_key: input.sealed })
        .where('scope', '=', input.scope)
        .where('identity_key', 'is', null)
        .execute();
      const row = await tx.db
        .selectFrom('organization_keys')
        .select('identity_key')
        .where('scope', '=', input.scope)
        .executeTakeFirst();
      if (!row?.identity_key) throw new Error(`scope ${input.scope} has no data key`);
      return row.identity_key;
    },
  ),

  /** Keys after `scope`, in order, for rewrapping; at most `limit`. */
  page: read(async (tx, input: { readonly after: string; readonly limit: number }) =>
    tx.db
      .selectFrom('organization_keys')
      .select(['scope', 'wrapped', 'previous'])
      .where('scope', '>', input.after)
      .orderBy('scope')
      .limit(input.limit)
      .execute(),
  ),

  /** Replaces a wrapping unless it was replaced or deleted since it was read; so too that of the previous key. */
  rewrap: write(
    async (
      tx,
      input: {
        readonly scope: string;
        readonly from: Uint8Array;
        readonly to: Pick<WrappedDataKey, 'wrapped' | 'previous'>;
      },
    ): Promise<boolean> => {
      const result = await tx.db
        .updateTable('organization_keys')
        .set((eb) => ({
          wrapped: input.to.wrapped,
          previous: eb
            .case()
            .when('previous', 'is', null)
            .then(eb.ref('previous'))
            .else(input.to.previous)
            .end(),
        }))
        .where('scope', '=', input.scope)
        .where('wrapped', '=', input.from)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
  ),

  masterKeyCheck: read(masterKeyCheck),

  /** Stores the id of the current master key; with `onlyIfAbsent` returns the one that is stored then. */
  setMasterKeyCheck: write(
    async (tx, input: { readonly id: string; readonly onlyIfAbsent: boolean }): Promise<string> => {
      const before = await masterKeyCheck(tx);
      const row = await tx.db
        .insertInto('settings')
        .values({ name: MASTER_KEY_CHECK, value: input.id })
        .onConflict((conflict) =>
          input.onlyIfAbsent
            ? conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('settings.value') }))
            : conflict.column('name').doUpdateSet({ value: input.id }),
        )
        .returning('value')
        .executeTakeFirstOrThrow();
      if (before !== null && before !== row.value) {
        await recordAct(tx, KEYS, {
          organizationId: null,
          act: 'keys.rotate_master',
          target: row.value,
          details: { from: before },
        });
      }
      return row.value;
    },
  ),
};

async function masterKeyCheck(tx: Transaction): Promise<string | null> {
  const row = await tx.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', MASTER_KEY_CHECK)
    .executeTakeFirst();
  return row?.value ?? null;
}
