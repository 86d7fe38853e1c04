import { sql } from 'kysely';
import { DAY_MS } from '../../rules/durations.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import { type Transaction, write } from '../transactions/script.ts';

/** Addresses remembered per key; later ones are no longer told apart. */
const MAX_ADDRESSES = 1_000;

interface KeyUse {
  readonly kind: 'client' | 'legacy_api_key';
  readonly id: string;
  /** How the audit log calls such a key. */
  readonly name: 'app_credential' | 'legacy_api_key';
  readonly organizationId: number;
  /** In the form in which limits count addresses. */
  readonly address: string;
  readonly actor: Actor;
}

export const keyUseScripts = {
  /** Records that the key was used today, and its first use from an address. */
  note: write(async (tx, { organizationId, name, ...use }: KeyUse): Promise<void> => {
    const { id, address, actor } = use;
    await noteLastUse(tx, use);
    const added = await tx.db
      .insertInto('app_credential_addresses')
      .columns(['client_id', 'address', 'at'])
      .expression(
        sql`select cast(${id} as text), cast(${address} as text), ${tx.clock}
          where (select count(*) from app_credential_addresses
            where client_id = ${id}) < ${sql.lit(MAX_ADDRESSES)}`,
      )
      .onConflict((conflict) => conflict.columns(['client_id', 'address']).doNothing())
      .returning('client_id')
      .executeTakeFirst();
    if (added === undefined) return;
    await recordAct(tx, actor, {
      organizationId,
      act: `${name}.use_from_new_address`,
      target: id,
    });
  }),
};

/** Once a day. */
async function noteLastUse(
  tx: Transaction,
  { kind, id, address }: Pick<KeyUse, 'kind' | 'id' | 'address'>,
): Promise<void> {
  const use = { last_used_at: tx.clock, last_used_address: address };
  const isDue = sql<boolean>`coalesce(last_used_at, 0) < ${tx.clock} - ${sql.lit(DAY_MS)}`;
  await (kind === 'client'
    ? tx.db.updateTable('app_credentials').set(use).where('client_id', '=', id).where(isDue)
    : tx.db.updateTable('legacy_api_keys').set(use).where('id', '=', id).where(isDue)
  ).execute();
}
