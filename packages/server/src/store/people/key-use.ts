import { sql } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import { recordAct } from '../transactions/audit.ts';
import { write } from '../transactions/script.ts';

const DAY_MS = 86_400_000;
/** Addresses remembered per key; later ones are no longer told apart. */
const MAX_ADDRESSES = 1_000;

interface KeyUse {
  readonly clientId: string;
  readonly organizationId: number;
  /** In the form in which limits count addresses. */
  readonly address: string;
  readonly actor: Actor;
}

export const keyUseScripts = {
  /** Records that the key was used today, and its first use from an address. */
  note: write(async (tx, { clientId, organizationId, address, actor }: KeyUse): Promise<void> => {
    await tx.db
      .updateTable('app_credentials')
      .set({ last_used_at: tx.clock, last_used_address: address })
      .where('client_id', '=', clientId)
      .where(sql<boolean>`coalesce(last_used_at, 0) < ${tx.clock} - ${sql.lit(DAY_MS)}`)
      .execute();
    const added = await tx.db
      .insertInto('app_credential_addresses')
      .columns(['client_id', 'address', 'at'])
      .expression(
        sql`select cast(${clientId} as text), cast(${address} as text), ${tx.clock}
          where (select count(*) from app_credential_addresses
            where client_id = ${clientId}) < ${sql.lit(MAX_ADDRESSES)}`,
      )
      .onConflict((conflict) => conflict.columns(['client_id', 'address']).doNothing())
      .returning('client_id')
      .executeTakeFirst();
    if (added === undefined) return;
    await recordAct(tx, actor, {
      organizationId,
      act: 'app_credential.use_from_new_address',
      target: clientId,
    });
  }),
};
