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
  authority: Authority = 'console',
): OperationRow {
  return { method, path, repeat, authority };
}

/* @__NO_SIDE_EFFECTS__ */
function read(path: string, authority?: Authority): OperationRow {
  return row('GET', path, 'read', authority);
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
  health: read('/health', 'nobody'),
  healthLive: read('/health/live', 'nobody'),
  healthReady: read('/health/ready', 'nobody'),
  advanceTestClock: row('POST', '/v1/test-clock/advance', 'once'),

  submitJob: row('POST', '/v1/jobs', 'keyed', 'client'),
  submitAllAccounts: row('POST', '/v1/jobs/all-accounts', 'keyed', 'client'),
  listJobs: read('/v1/jobs', 'client'),
  readJob: read('/v1/jobs/{job_id}', 'client'),
  readJobResult: read('/v1/jobs/{job_id}/result', 'client'),
  readJobTimeline: read('/v1/jobs/{job_id}/timeline', 'client'),
  readJobRequest: read('/v1/jobs/{job_id}/request', 'client'),
  summarizeJobs: read('/v1/jobs/summary', 'client'),
  listAllAccountsRuns: read('/v1/jobs/all-accounts', 'client'),
  listAllAccountsLines: read('/v1/jobs/all-accounts/lines', 'client'),
  cancelJob: row('POST', '/v1/jobs/{job_id}/cancel', 'repeatable', 'client'),
  deleteJobArtifacts: row('DELETE', '/v1/jobs/{job_id}/artifacts', 'repeatable', 'client'),
  downloadArtifact: read('/v1/artifacts/{artifact_id}/download', 'nobody'),
  listEvents: read('/v1/events', 'client'),
  createWebhook: row('POST', '/v1/webhooks', 'once', 'client'),
  listWebhooks: read('/v1/webhooks', 'client'),
  readWebhook: read(webhook, 'client'),
  updateWebhook: row('PATCH', webhook, 'repeatable', 'client'),
  deleteWebhook: row('DELETE', webhook, 'once', 'client'),
  rotateWebhook: row('POST', `${webhook}/rotate`, 'once', 'client'),
  testWebhook: row('POST', `${webhook}/test`, 'once', 'client'),
  listWebhookDeliveries: read(`${webhook}/deliveries`, 'client'),
  replayWebhookDelivery: row(
    'POST',
    `${webhook}/deliveries/{delivery_id}/replay`,
    'once',
    'client',
  ),
  replayWebhook: row('POST', `${webhook}/replay`, 'once', 'client'),
  readReceipt: read('/v1/jobs/{job_id}/receipt', 'client'),
  listReceipts: read('/v1/receipts', 'client'),
  readReceiptKeys: read('/v1/receipts/keys', 'nobody'),
  readEncryptionKeys: read('/v1/crypto/public-key', 'client'),

  register: row('POST', '/v1/auth/register', 'once', 'nobody'),
  login: row('POST', '/v1/auth/login', 'once', 'nobody'),
  readSession: read('/v1/auth/session'),
  listIdentityProviders: read('/v1/auth/providers', 'nobody'),
  logout: row('POST', '/v1/auth/logout', 'once'),
  listSessions: read('/v1/me/sessions'),
  listFactors: read('/v1/me/factors'),
  addFactor: row('POST', '/v1/me/factors', 'once'),
  confirmFactor: row('POST', '/v1/me/factors/{factor_id}/confirm', 'once'),
  renameFactor: row('PATCH', '/v1/me/factors/{factor_id}', 'repeatable'),
  removeFactor: row('DELETE', '/v1/me/factors/{factor_id}', 'once'),
  renewRecoveryCodes: row('POST', '/v1/me/factors/recovery-codes', 'once'),
  beginPasskey: row('POST', '/v1/me/factors/passkeys/options', 'once'),
  addPasskey: row('POST', '/v1/me/factors/passkeys', 'once'),
  beginPasskeyLogin: row('POST', '/v1/auth/passkey/options', 'repeatable', 'nobody'),
  loginWithPasskey: row('POST', '/v1/auth/passkey', 'once', 'nobody'),
  setOrganizationSecurity: row('PATCH', '/v1/organization', 'repeatable'),
  acceptInvitation: row('POST', '/v1/auth/invitations/accept', 'once', 'nobody'),
  verifyEmail: row('POST', '/v1/auth/verify-email', 'once', 'nobody'),
  requestEmailVerification: row('POST', '/v1/me/email-verification', 'once'),
  requestPasswordReset: row('POST', '/v1/auth/password-reset', 'once', 'nobody'),
  confirmPasswordReset: row('POST', '/v1/auth/password-reset/confirm', 'once', 'nobody'),
  inviteMember: row('POST', '/v1/members/invitations', 'once'),
  listInvitations: read('/v1/members/invitations'),
  revokeInvitation: row('DELETE', '/v1/members/invitations/{invitation_id}', 'repeatable'),
  listMembers: read('/v1/members'),
  setMemberRole: row('PATCH', '/v1/members/{user_id}', 'repeatable'),
  removeMember: row('DELETE', '/v1/members/{user_id}', 'repeatable'),
  resetMemberFactors: row('DELETE', '/v1/members/{user_id}/factors', 'repeatable'),
  handOverOwnership: row('POST', '/v1/organization/ownership', 'once'),
  endSession: row('DELETE', '/v1/me/sessions/{session_id}', 'repeatable'),
  changePassword: row('POST', '/v1/me/password', 'once'),
  requestDeletion: row('POST', '/v1/me/deletion-requests', 'once'),
  cancelDeletion: row('DELETE', '/v1/me/deletion-requests/{request_uuid}', 'once'),
  recordConsent: row('POST', '/v1/consents', 'once'),
  requestEnvAccess: row('POST', '/v1/me/env-access-requests', 'once'),
  listEnvAccess: read('/v1/me/env-access-requests'),
  applyAsIntegrator: row('POST', applications, 'once'),
  reissueIntegrator: row('POST', `${applications}/reissue`, 'once'),
  listIntegratorApplications: read(applications),
  mintHandoff: row('POST', `${applications}/{application_id}/handoff`, 'once'),
  exchangeHandoff: row('POST', '/v1/handoff/exchange', 'once', 'nobody'),

  issueAppCredential: row('POST', '/v1/app-credentials', 'once'),
  listAppCredentials: read('/v1/app-credentials'),
  revokeAppCredential: row('POST', '/v1/app-credentials/{client_id}/revoke', 'repeatable'),
  listOAuthGrants: read('/v1/oauth/grants'),
  revokeOAuthGrant: row('POST', '/v1/oauth/grants/{grant_id}/revoke', 'repeatable'),
  approveOAuthInteraction: row('POST', `${interaction}/approve`, 'once'),
  denyOAuthInteraction: row('POST', `${interaction}/deny`, 'once'),

  linkCredential: row('POST', '/v1/credentials/link', 'once'),
  listAccountLinks: read('/v1/credentials'),
  readAccountLink: read(link),
  createConsentUrl: row('POST', '/v1/credentials/consent-url', 'repeatable'),
  consentReturn: read('/v1/credentials/consent-return', 'nobody'),
  selectAssets: row('PUT', `${link}/selected-assets`, 'repeatable'),
  unlinkCredential: row('POST', `${link}/unlink`, 'repeatable'),
  linkBankAccount: row('POST', `${link}/bank-accounts`, 'once'),
  listBankAccounts: read(`${link}/bank-accounts`),
  readBankAccount: read(account),
  updateBankAccount: row('PATCH', account, 'once'),
  unlinkBankAccount: row('DELETE', account, 'repeatable'),
  setDefaultBankAccount: row('PUT', `${account}/default`, 'repeatable'),

  readMembership: read('/v1/membership/me', 'client'),

  taxPortalHealth: read(`${tax}/a/s1/health`, 'client'),
  taxPortalInfo: read(`${tax}/info`, 'client'),
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

  listInstitutions: read('/v1/institutions', 'client'),
  listProducts: read('/v1/products', 'client'),
  readProduct: read('/v1/products/{id}', 'client'),
  createProduct: row('POST', '/v1/products', 'once'),
  listProductVersions: read('/v1/products/{id}/versions'),
  createProductVersion: row('POST', '/v1/products/{id}/versions', 'once'),
  publishProductVersion: row('POST', `${version}/publish`, 'once'),
  deprecateProductVersion: row('POST', `${version}/deprecate`, 'once'),
  retireProductVersion: row('POST', `${version}/retire`, 'once'),

  listPlans: read('/v1/billing/plans', 'client'),
  readBillingAccount: read('/v1/billing/account'),
  readSubscription: read('/v1/billing/subscription'),
  listInvoices: read('/v1/billing/invoices'),
  readInvoice: read('/v1/billing/invoices/{invoice_id}'),
  readOfflineProfile: read(offlineProfile),
  replaceOfflineProfile: row('PUT', offlineProfile, 'repeatable'),
  createBillingAuthSession: row('POST', '/v1/billing/auth-sessions', 'repeatable'),
  registerPaymentMethod: row('POST', paymentMethod, 'repeatable'),
  readPaymentMethod: read(paymentMethod),
  recordInvoice: row('POST', '/v1/admin/invoices', 'once'),
  openInvoice: row('POST', `${invoice}/open`, 'once'),
  payInvoice: row('POST', `${invoice}/pay`, 'once'),
  voidInvoice: row('POST', `${invoice}/void`, 'once'),
  markInvoiceUncollectible: row('POST', `${invoice}/uncollectible`, 'once'),
  refundInvoice: row('POST', `${invoice}/refund`, 'once'),

  listEnvAccessForAdmin: read('/v1/admin/env-access-requests'),
  decideEnvAccess: row('POST', '/v1/admin/env-access-requests/{request_id}/decision', 'once'),
  listIntegratorApplicationsForAdmin: read('/v1/admin/integrator-applications'),
  decideIntegratorApplication: row(
    'POST',
    '/v1/admin/integrator-applications/{application_id}/decision',
    'once',
  ),
  setSubscription: row('POST', '/v1/admin/organizations/{organization_id}/subscription', 'once'),
  addMember: row('POST', '/v1/admin/organizations/{organization_id}/members', 'repeatable'),
  issueLegacyApiKey: row('POST', '/v1/admin/legacy-api-keys', 'once'),
  listLegacyApiKeys: read('/v1/admin/legacy-api-keys'),
  rotateLegacyApiKey: row('POST', '/v1/admin/legacy-api-keys/{key_id}/rotate', 'once'),
  revokeLegacyApiKey: row('POST', '/v1/admin/legacy-api-keys/{key_id}/revoke', 'repeatable'),
  listOrganizations: read('/v1/admin/organizations'),
  readServiceState: read('/v1/admin/service-state'),
  listSimulators: read('/v1/admin/simulators'),
  setSimulatorState: row('PUT', '/v1/admin/simulators/{provider}', 'repeatable'),
  listAudit: read('/v1/admin/audit'),
  rotateAppCredential: row('POST', '/v1/app-credentials/{client_id}/rotate', 'once'),
  listOwnAudit: read('/v1/audit'),
  exportOwnAudit: read('/v1/audit/export'),
};
