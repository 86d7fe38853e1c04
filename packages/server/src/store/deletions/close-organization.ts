import type { Transaction } from '../transactions/script.ts';

/** No credential of the organization works any longer, and nothing can be charged. What is sealed is emptied later. */
export async function closeOrganization(tx: Transaction, organizationId: number): Promise<void> {
  await tx.db
    .updateTable('organizations')
    .set({ deleted_at: tx.clock })
    .where('id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute();
  await tx.db
    .updateTable('app_credentials')
    .set({ revoked_at: tx.clock, revoked_reason: 'user_request' })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .execute();
  await tx.db
    .updateTable('legacy_api_keys')
    .set({ revoked_at: tx.clock })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .execute();
  await tx.db.deleteFrom('payment_methods').where('organization_id', '=', organizationId).execute();
  await tx.db
    .updateTable('integrator_applications')
    .set({ contact_email: '', use_case_text: null })
    .where('organization_id', '=', organizationId)
    .execute();
}
