import type { Transaction } from '../transactions/script.ts';

/** Without a company's name, an organization has that of the person who registered it. */
const NAME_OF_CLOSED = '탈퇴한 조직';

/**
 * No credential of the organization works any longer, nothing can be charged, and what people wrote is gone.
 * What is sealed is emptied later.
 */
export async function closeOrganization(tx: Transaction, organizationId: number): Promise<void> {
  await tx.db
    .updateTable('organizations')
    .set({ name: NAME_OF_CLOSED, business_number: null, deleted_at: tx.clock })
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
    .set({ company_name: '', contact_email: '', use_case_text: null })
    .where('organization_id', '=', organizationId)
    .execute();
  await tx.db
    .updateTable('env_access_requests')
    .set({ reason_text: null })
    .where('organization_id', '=', organizationId)
    .execute();
  await tx.db.deleteFrom('invitations').where('organization_id', '=', organizationId).execute();
  await forgetRecipients(tx, organizationId);
}

/** Invoices are kept, and a tax invoice names its recipient; the last one may be drafted next month. */
async function forgetRecipients(tx: Transaction, organizationId: number): Promise<void> {
  await tx.db
    .deleteFrom('offline_profiles')
    .where('organization_id', '=', organizationId)
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or([
          exists(selectFrom('invoices').select('id').where('organization_id', '=', organizationId)),
          exists(
            selectFrom('subscriptions').select('id').where('organization_id', '=', organizationId),
          ),
        ]),
      ),
    )
    .execute();
}
