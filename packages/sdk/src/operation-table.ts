import type { OperationMap } from '@changgu/contract';
import type { Repeat } from './request/retry-policy.ts';

export type OperationName = keyof OperationMap;

/** Whose credentials an operation prefers; if the client has only another kind, that one is used. */
export type Authority = 'client' | 'console' | 'nobody';

export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The effect of repeating it, which decides what failures are retried. */
  readonly repeat: Repeat;
  readonly authority: Authority;
}

/* @__NO_SIDE_EFFECTS__ */
function row(
  method: OperationRow['method'],
  path: string,
  repeat: Repeat,
  authority: Authority,
): OperationRow {
  return { method, path, repeat, authority };
}

const link = '/v1/credentials/{account_link_id}';
const account = `${link}/bank-accounts/{bank_account_credential_id}`;
const applications = '/v1/me/integrator-applications';
const interaction = '/v1/oauth/interactions/{uid}';
const invoice = '/v1/admin/invoices/{invoice_id}';
const version = '/v1/products/{id}/versions/{version}';
const offlineProfile = '/v1/billing/offline-profiles/{organization_id}';
const paymentMethod = '/v1/billing/payment-method';
const tax = '/tax_portal/products/v1';
const webhook = '/v1/webhooks/{webhook_id}';

/** Every operation of the API. The compiler and a test against the contract keep it complete and true. */
export const OPERATION_TABLE: Readonly<Record<OperationName, OperationRow>> = {
  health: row('GET', '/health', 'read', 'nobody'),
  healthLive: row('GET', '/health/live', 'read', 'nobody'),
  healthReady: row('GET', '/health/ready', 'read', 'nobody'),
  advanceTestClock: row('POST', '/v1/test-clock/advance', 'once', 'console'),

  submitJob: row('POST', '/v1/jobs', 'keyed', 'client'),
  submitAllAccounts: row('POST', '/v1/jobs/all-accounts', 'keyed', 'client'),
  listJobs: row('GET', '/v1/jobs', 'read', 'client'),
  readJob: row('GET', '/v1/jobs/{job_id}', 'read', 'client'),
  readJobResult: row('GET', '/v1/jobs/{job_id}/result', 'read', 'client'),
  readJobTimeline: row('GET', '/v1/jobs/{job_id}/timeline', 'read', 'client'),
  readJobRequest: row('GET', '/v1/jobs/{job_id}/request', 'read', 'client'),
  summarizeJobs: row('GET', '/v1/jobs/summary', 'read', 'client'),
  listAllAccountsRuns: row('GET', '/v1/jobs/all-accounts', 'read', 'client'),
  listAllAccountsLines: row('GET', '/v1/jobs/all-accounts/lines', 'read', 'client'),
  cancelJob: row('POST', '/v1/jobs/{job_id}/cancel', 'repeatable', 'client'),
  deleteJobArtifacts: row('DELETE', '/v1/jobs/{job_id}/artifacts', 'repeatable', 'client'),
  downloadArtifact: row('GET', '/v1/artifacts/{artifact_id}/download', 'read', 'nobody'),
  listEvents: row('GET', '/v1/events', 'read', 'client'),
  createWebhook: row('POST', '/v1/webhooks', 'once', 'client'),
  listWebhooks: row('GET', '/v1/webhooks', 'read', 'client'),
  readWebhook: row('GET', webhook, 'read', 'client'),
  updateWebhook: row('PATCH', webhook, 'repeatable', 'client'),
  deleteWebhook: row('DELETE', webhook, 'once', 'client'),
  rotateWebhook: row('POST', `${webhook}/rotate`, 'once', 'client'),
  testWebhook: row('POST', `${webhook}/test`, 'once', 'client'),
  listWebhookDeliveries: row('GET', `${webhook}/deliveries`, 'read', 'client'),
  replayWebhookDelivery: row(
    'POST',
    `${webhook}/deliveries/{delivery_id}/replay`,
    'once',
    'client',
  ),
  replayWebhook: row('POST', `${webhook}/replay`, 'once', 'client'),
  readReceipt: row('GET', '/v1/jobs/{job_id}/receipt', 'read', 'client'),
  listReceipts: row('GET', '/v1/receipts', 'read', 'client'),
  readReceiptKeys: row('GET', '/v1/receipts/keys', 'read', 'nobody'),
  readEncryptionKeys: row('GET', '/v1/crypto/public-key', 'read', 'client'),

  register: row('POST', '/v1/auth/register', 'once', 'nobody'),
  login: row('POST', '/v1/auth/login', 'once', 'nobody'),
  readSession: row('GET', '/v1/auth/session', 'read', 'console'),
  listIdentityProviders: row('GET', '/v1/auth/providers', 'read', 'nobody'),
  logout: row('POST', '/v1/auth/logout', 'once', 'console'),
  listSessions: row('GET', '/v1/me/sessions', 'read', 'console'),
  listFactors: row('GET', '/v1/me/factors', 'read', 'console'),
  addFactor: row('POST', '/v1/me/factors', 'once', 'console'),
  confirmFactor: row('POST', '/v1/me/factors/{factor_id}/confirm', 'once', 'console'),
  renameFactor: row('PATCH', '/v1/me/factors/{factor_id}', 'repeatable', 'console'),
  removeFactor: row('DELETE', '/v1/me/factors/{factor_id}', 'once', 'console'),
  renewRecoveryCodes: row('POST', '/v1/me/factors/recovery-codes', 'once', 'console'),
  beginPasskey: row('POST', '/v1/me/factors/passkeys/options', 'once', 'console'),
  addPasskey: row('POST', '/v1/me/factors/passkeys', 'once', 'console'),
  beginPasskeyLogin: row('POST', '/v1/auth/passkey/options', 'repeatable', 'nobody'),
  loginWithPasskey: row('POST', '/v1/auth/passkey', 'once', 'nobody'),
  setOrganizationSecurity: row('PATCH', '/v1/organization', 'repeatable', 'console'),
  acceptInvitation: row('POST', '/v1/auth/invitations/accept', 'once', 'nobody'),
  verifyEmail: row('POST', '/v1/auth/verify-email', 'once', 'nobody'),
  requestEmailVerification: row('POST', '/v1/me/email-verification', 'once', 'console'),
  requestPasswordReset: row('POST', '/v1/auth/password-reset', 'once', 'nobody'),
  confirmPasswordReset: row('POST', '/v1/auth/password-reset/confirm', 'once', 'nobody'),
  inviteMember: row('POST', '/v1/members/invitations', 'once', 'console'),
  listInvitations: row('GET', '/v1/members/invitations', 'read', 'console'),
  revokeInvitation: row(
    'DELETE',
    '/v1/members/invitations/{invitation_id}',
    'repeatable',
    'console',
  ),
  listMembers: row('GET', '/v1/members', 'read', 'console'),
  setMemberRole: row('PATCH', '/v1/members/{user_id}', 'repeatable', 'console'),
  removeMember: row('DELETE', '/v1/members/{user_id}', 'repeatable', 'console'),
  resetMemberFactors: row('DELETE', '/v1/members/{user_id}/factors', 'repeatable', 'console'),
  handOverOwnership: row('POST', '/v1/organization/ownership', 'once', 'console'),
  endSession: row('DELETE', '/v1/me/sessions/{session_id}', 'repeatable', 'console'),
  changePassword: row('POST', '/v1/me/password', 'once', 'console'),
  requestDeletion: row('POST', '/v1/me/deletion-requests', 'once', 'console'),
  cancelDeletion: row('DELETE', '/v1/me/deletion-requests/{request_uuid}', 'once', 'console'),
  recordConsent: row('POST', '/v1/consents', 'once', 'console'),
  requestEnvAccess: row('POST', '/v1/me/env-access-requests', 'once', 'console'),
  listEnvAccess: row('GET', '/v1/me/env-access-requests', 'read', 'console'),
  applyAsIntegrator: row('POST', applications, 'once', 'console'),
  reissueIntegrator: row('POST', `${applications}/reissue`, 'once', 'console'),
  listIntegratorApplications: row('GET', applications, 'read', 'console'),
  mintHandoff: row('POST', `${applications}/{application_id}/handoff`, 'once', 'console'),
  exchangeHandoff: row('POST', '/v1/handoff/exchange', 'once', 'nobody'),

  issueAppCredential: row('POST', '/v1/app-credentials', 'once', 'console'),
  listAppCredentials: row('GET', '/v1/app-credentials', 'read', 'console'),
  revokeAppCredential: row(
    'POST',
    '/v1/app-credentials/{client_id}/revoke',
    'repeatable',
    'console',
  ),
  listOAuthGrants: row('GET', '/v1/oauth/grants', 'read', 'console'),
  revokeOAuthGrant: row('POST', '/v1/oauth/grants/{grant_id}/revoke', 'repeatable', 'console'),
  approveOAuthInteraction: row('POST', `${interaction}/approve`, 'once', 'console'),
  denyOAuthInteraction: row('POST', `${interaction}/deny`, 'once', 'console'),

  linkCredential: row('POST', '/v1/credentials/link', 'once', 'console'),
  listAccountLinks: row('GET', '/v1/credentials', 'read', 'console'),
  readAccountLink: row('GET', link, 'read', 'console'),
  createConsentUrl: row('POST', '/v1/credentials/consent-url', 'repeatable', 'console'),
  consentReturn: row('GET', '/v1/credentials/consent-return', 'read', 'nobody'),
  selectAssets: row('PUT', `${link}/selected-assets`, 'repeatable', 'console'),
  unlinkCredential: row('POST', `${link}/unlink`, 'repeatable', 'console'),
  linkBankAccount: row('POST', `${link}/bank-accounts`, 'once', 'console'),
  listBankAccounts: row('GET', `${link}/bank-accounts`, 'read', 'console'),
  readBankAccount: row('GET', account, 'read', 'console'),
  updateBankAccount: row('PATCH', account, 'once', 'console'),
  unlinkBankAccount: row('DELETE', account, 'repeatable', 'console'),
  setDefaultBankAccount: row('PUT', `${account}/default`, 'repeatable', 'console'),

  readMembership: row('GET', '/v1/membership/me', 'read', 'client'),

  taxPortalHealth: row('GET', `${tax}/a/s1/health`, 'read', 'client'),
  taxPortalInfo: row('GET', `${tax}/info`, 'read', 'client'),
  taxPortalLogin: row('POST', `${tax}/a/s1/login`, 'keyed', 'client'),
  // A GET without a key that runs and charges a job.
  taxPortalUserInfo: row('GET', `${tax}/a/s1/user/info`, 'once', 'client'),
  taxPortalCertificatesList: row('POST', `${tax}/a/c1/certificates-list`, 'keyed', 'client'),
  taxPortalNationalTaxPayment: row('POST', `${tax}/a/c1/national-tax-payment`, 'keyed', 'client'),
  taxPortalTaxPaymentRecord: row('POST', `${tax}/a/c1/tax-payment-record`, 'keyed', 'client'),
  taxPortalVatStandard: row('POST', `${tax}/a/c1/vat-standard`, 'keyed', 'client'),
  taxPortalBusinessRegistration: row(
    'POST',
    `${tax}/a/c1/business-registration`,
    'keyed',
    'client',
  ),
  taxPortalBusinessSuspension: row('POST', `${tax}/a/c1/business-suspension`, 'keyed', 'client'),
  taxPortalFinancialStatement: row('POST', `${tax}/a/c1/financial-statement`, 'keyed', 'client'),
  taxPortalBusinessClosure: row('POST', `${tax}/a/c1/business-closure`, 'keyed', 'client'),
  taxPortalBusinessRegistrationReissue: row(
    'POST',
    `${tax}/a/c1/business-registration-reissue`,
    'keyed',
    'client',
  ),
  taxPortalIncomeStatement: row('POST', `${tax}/a/c1/income-statement`, 'keyed', 'client'),
  taxPortalInvoiceSummary: row('POST', `${tax}/a/e1/invoice-summary`, 'keyed', 'client'),
  taxPortalCreditCardSalesData: row(
    'POST',
    `${tax}/a/t1/credit-card-sales-data`,
    'keyed',
    'client',
  ),
  taxPortalPaymentStatement: row('POST', `${tax}/a/t1/payment-statement`, 'keyed', 'client'),
  taxPortalPaymentStatementSubmitHistory: row(
    'POST',
    `${tax}/a/t1/payment-statement-submit-history`,
    'keyed',
    'client',
  ),

  callMcp: row('POST', '/mcp', 'keyed', 'client'),

  listInstitutions: row('GET', '/v1/institutions', 'read', 'client'),
  listProducts: row('GET', '/v1/products', 'read', 'client'),
  readProduct: row('GET', '/v1/products/{id}', 'read', 'client'),
  createProduct: row('POST', '/v1/products', 'once', 'console'),
  listProductVersions: row('GET', '/v1/products/{id}/versions', 'read', 'console'),
  createProductVersion: row('POST', '/v1/products/{id}/versions', 'once', 'console'),
  publishProductVersion: row('POST', `${version}/publish`, 'once', 'console'),
  deprecateProductVersion: row('POST', `${version}/deprecate`, 'once', 'console'),
  retireProductVersion: row('POST', `${version}/retire`, 'once', 'console'),

  listPlans: row('GET', '/v1/billing/plans', 'read', 'client'),
  readBillingAccount: row('GET', '/v1/billing/account', 'read', 'console'),
  readSubscription: row('GET', '/v1/billing/subscription', 'read', 'console'),
  listInvoices: row('GET', '/v1/billing/invoices', 'read', 'console'),
  readInvoice: row('GET', '/v1/billing/invoices/{invoice_id}', 'read', 'console'),
  readOfflineProfile: row('GET', offlineProfile, 'read', 'console'),
  replaceOfflineProfile: row('PUT', offlineProfile, 'repeatable', 'console'),
  createBillingAuthSession: row('POST', '/v1/billing/auth-sessions', 'repeatable', 'console'),
  registerPaymentMethod: row('POST', paymentMethod, 'repeatable', 'console'),
  readPaymentMethod: row('GET', paymentMethod, 'read', 'console'),
  recordInvoice: row('POST', '/v1/admin/invoices', 'once', 'console'),
  openInvoice: row('POST', `${invoice}/open`, 'once', 'console'),
  payInvoice: row('POST', `${invoice}/pay`, 'once', 'console'),
  voidInvoice: row('POST', `${invoice}/void`, 'once', 'console'),
  markInvoiceUncollectible: row('POST', `${invoice}/uncollectible`, 'once', 'console'),
  refundInvoice: row('POST', `${invoice}/refund`, 'once', 'console'),

  listEnvAccessForAdmin: row('GET', '/v1/admin/env-access-requests', 'read', 'console'),
  decideEnvAccess: row(
    'POST',
    '/v1/admin/env-access-requests/{request_id}/decision',
    'once',
    'console',
  ),
  listIntegratorApplicationsForAdmin: row(
    'GET',
    '/v1/admin/integrator-applications',
    'read',
    'console',
  ),
  decideIntegratorApplication: row(
    'POST',
    '/v1/admin/integrator-applications/{application_id}/decision',
    'once',
    'console',
  ),
  setSubscription: row(
    'POST',
    '/v1/admin/organizations/{organization_id}/subscription',
    'once',
    'console',
  ),
  addMember: row(
    'POST',
    '/v1/admin/organizations/{organization_id}/members',
    'repeatable',
    'console',
  ),
  issueLegacyApiKey: row('POST', '/v1/admin/legacy-api-keys', 'once', 'console'),
  listLegacyApiKeys: row('GET', '/v1/admin/legacy-api-keys', 'read', 'console'),
  rotateLegacyApiKey: row('POST', '/v1/admin/legacy-api-keys/{key_id}/rotate', 'once', 'console'),
  revokeLegacyApiKey: row(
    'POST',
    '/v1/admin/legacy-api-keys/{key_id}/revoke',
    'repeatable',
    'console',
  ),
  listOrganizations: row('GET', '/v1/admin/organizations', 'read', 'console'),
  readServiceState: row('GET', '/v1/admin/service-state', 'read', 'console'),
  listSimulators: row('GET', '/v1/admin/simulators', 'read', 'console'),
  setSimulatorState: row('PUT', '/v1/admin/simulators/{provider}', 'repeatable', 'console'),
  listAudit: row('GET', '/v1/admin/audit', 'read', 'console'),
  rotateAppCredential: row('POST', '/v1/app-credentials/{client_id}/rotate', 'once', 'console'),
  listOwnAudit: row('GET', '/v1/audit', 'read', 'console'),
  exportOwnAudit: row('GET', '/v1/audit/export', 'read', 'console'),
};
