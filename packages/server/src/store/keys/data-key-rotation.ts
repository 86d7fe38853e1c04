import type { RotationStore } from '../../crypto/rotation/rotate-data-keys.ts';
import { recordAct } from '../transactions/audit.ts';
import { type Transaction, write } from '../transactions/script.ts';
import { KEYS } from './ring-keys.ts';

const ROTATION = 'data_key_rotation';

/** One rotation of all data keys at a time; its id is stored as a setting while it is in progress. */
export const dataKeyRotationScripts = {
  begin: write(async (tx, id: string): Promise<string> => {
    await tx.dialect.lock(tx, ROTATION);
    const standing = await rotationUnderWay(tx);
    if (standing !== null) return standing;
    await tx.db.insertInto('settings').values({ name: ROTATION, value: id }).execute();
    await tx.db.updateTable('organization_keys').set({ rotation_due: 1 }).execute();
    return id;
  }),

  nextDue: write(async (tx, id: string) => {
    await tx.dialect.lock(tx, ROTATION);
    if ((await rotationUnderWay(tx)) !== id) return null;
    const due = await tx.db
      .selectFrom('organization_keys')
      .select(['scope', 'wrapped'])
      .where('rotation_due', '=', 1)
      .orderBy('scope')
      .limit(1)
      .executeTakeFirst();
    return due ?? null;
  }),

  replaceKey: write(
    async (tx, change: Parameters<RotationStore['replaceKey']>[0]): Promise<void> => {
      await tx.dialect.lock(tx, ROTATION);
      if ((await rotationUnderWay(tx)) !== change.id) return;
      await tx.db
        .updateTable('organization_keys')
        .set((eb) => ({
          wrapped: change.to,
          previous: change.from,
          generation: eb('generation', '+', 1),
          rotation_due: 0,
        }))
        .where('scope', '=', change.scope)
        .where('wrapped', '=', change.from)
        .where('rotation_due', '=', 1)
        .execute();
    },
  ),

  finish: write(async (tx, id: string): Promise<boolean> => {
    await tx.dialect.lock(tx, ROTATION);
    if ((await rotationUnderWay(tx)) !== id) return false;
    const replaced = await tx.db
      .updateTable('organization_keys')
      .set({ previous: null })
      .where('previous', 'is not', null)
      .returning('scope')
      .execute();
    await tx.db.deleteFrom('settings').where('name', '=', ROTATION).execute();
    await recordAct(tx, KEYS, {
      organizationId: null,
      act: 'keys.rotate_data',
      target: id,
      details: { keys: replaced.length },
    });
    return true;
  }),
};

async function rotationUnderWay(tx: Transaction): Promise<string | null> {
  const row = await tx.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', ROTATION)
    .executeTakeFirst();
  return row?.value ?? null;
}
