import type { Selectable } from 'kysely';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

export type ApplicationRow = Selectable<Database['integrator_applications']>;

/** Two decisions about an application wait for each other. @throws ServiceError RESOURCE_NOT_FOUND */
export async function lockApplication(tx: Transaction, id: number): Promise<ApplicationRow> {
  await tx.dialect.lock(tx, `integrator:${id}`);
  const row = await tx.db
    .selectFrom('integrator_applications')
    .select(COLUMNS.integrator_applications)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined)
    throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `application ${id}` });
  return row;
}

/** Against a token that is minted while the organization's tokens are ended. */
export async function lockHandoffTokens(tx: Transaction, organizationId: number): Promise<void> {
  await tx.dialect.lock(tx, `handoff-tokens:${organizationId}`);
}
