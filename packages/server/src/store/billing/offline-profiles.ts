import type { EnvScope } from '@changgu/contract';
import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';

export type OfflineProfile = Omit<Selectable<Database['offline_profiles']>, 'updated_at'>;

const OF_A_PROFILE = [
  'organization_id',
  'env_scope',
  'company_name',
  'business_number',
  'tax_email',
  'payment_terms_days',
] as const;

/** The recipients of invoices outside the payment provider. */
export const offlineProfileScripts = {
  find: read(
    async (
      tx,
      { organizationId, envScope }: { organizationId: number; envScope: EnvScope },
    ): Promise<OfflineProfile | null> => {
      const row = await tx.db
        .selectFrom('offline_profiles')
        .select(OF_A_PROFILE)
        .where('organization_id', '=', organizationId)
        .where('env_scope', '=', envScope)
        .executeTakeFirst();
      return row ?? null;
    },
  ),

  /** Those of all environments. */
  ofOrganization: read(
    async (tx, { organizationId }: { organizationId: number }): Promise<OfflineProfile[]> =>
      tx.db
        .selectFrom('offline_profiles')
        .select(OF_A_PROFILE)
        .where('organization_id', '=', organizationId)
        .orderBy('env_scope')
        .execute(),
  ),

  /** @throws ServiceError RESOURCE_NOT_FOUND */
  replace: write(async (tx, input: { profile: OfflineProfile; actor: Actor }): Promise<void> => {
    const { organization_id: organizationId, env_scope, ...values } = input.profile;
    await requireOrganization(tx, organizationId);
    const updated = { ...values, updated_at: await tx.now() };
    await tx.db
      .insertInto('offline_profiles')
      .values({ organization_id: organizationId, env_scope, ...updated })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'env_scope']).doUpdateSet(updated),
      )
      .execute();
    await recordAct(tx, input.actor, {
      organizationId,
      act: 'offline_profile.replace',
      details: { env_scope },
    });
  }),
};
