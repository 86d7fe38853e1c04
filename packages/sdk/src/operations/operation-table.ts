import type { OperationMap } from '@changgu/contract';
import type { Repeat } from '../request/retries/retry-policy.ts';
import { CONSENT_RETURN } from './operation-url.ts';

export type OperationName = keyof OperationMap;

/** Whose credentials an operation prefers; if the client has only another kind, that one is used. */
export type Authority = 'client' | 'console' | 'anonymous';

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

/* @__NO_SIDE_EFFECTS__ */
function once(path: string, authority?: Authority): OperationRow {
  return row('POST', path, 'once', authority);
}

/* @__NO_SIDE_EFFECTS__ */
function repeatable(path: string, authority?: Authority): OperationRow {
  return row('POST', path, 'repeatable', authority);
}

/* @__NO_SIDE_EFFECTS__ */
function keyed(path: string): OperationRow {
  return row('POST', path, 'keyed', 'client');
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
  health: read('/health', 'anonymous'),
  healthLive: read('/health/live', 'anonymous'),
  healthReady: read('/health/ready', 'anonymous'),
  advanceTestClock: once('/v1/test-clock/advance'),

  submitJob: keyed('/v1/jobs'),
  submitAllAccounts: keyed('/v1/jobs/all-accounts'),
  listJobs: read('/v1/jobs', 'client'),
  readJob: read('/v1/jobs/{job_id}', 'client'),
  readJobResult: read('/v1/jobs/{job_id}/result', 'client'),
  readJobTimeline: read('/v1/jobs/{job_id}/timeline', 'client'),
  readJobRequest: read('/v1/jobs/{job_id}/request', 'client'),
  summarizeJobs: read('/v1/jobs/summary', 'client'),
  listAllAccountsRuns: read('/v1/jobs/all-accounts', 'client'),
  listAllAccountsLines: read('/v1/jobs/all-accounts/lines', 'client'),
  cancelJob: repeatable('/v1/jobs/{job_id}/cancel', 'client'),
  deleteJobArtifacts: row('DELETE', '/v1/jobs/{job_id}/artifacts', 'repeatable', 'client'),
  downloadArtifact: read('/v1/artifacts/{artifact_id}/download', 'anonymous'),
  listEvents: read('/v1/events', 'client'),
  createWebhook: once('/v1/webhooks'),
  listWebhooks: read('/v1/webhooks'),
  readWebhook: read(webhook),
  updateWebhook: row('PATCH', webhook, 'repeatable'),
  deleteWebhook: row('DELETE', webhook, 'once'),
  rotateWebhook: once(`${webhook}/rotate`),
  testWebhook: once(`${webhook}/test`),
  listWebhookDeliveries: read(`${webhook}/deliveries`),
  replayWebhookDelivery: once(`${webhook}/deliveries/{delivery_id}/replay`),
  replayWebhook: once(`${webhook}/replay`),
  readReceipt: read('/v1/jobs/{job_id}/receipt', 'client'),
  listReceipts: read('/v1/receipts', 'client'),
  readReceiptKeys: read('/v1/receipts/keys', 'anonymous'),
  readEncryptionKeys: read('/v1/crypto/public-key', 'client'),

  register: once('/v1/auth/register', 'anonymous'),
  login: once('/v1/auth/login', 'anonymous'),
  readSession: read('/v1/auth/session'),
  listIdentityProviders: read('/v1/auth/providers', 'anonymous'),
  logout: once('/v1/auth/logout'),
  listSessions: read('/v1/me/sessions'),
  listFactors: read('/v1/me/factors'),
  addFactor: once('/v1/me/factors'),
  confirmFactor: once('/v1/me/factors/{factor_id}/confirm'),
  renameFactor: row('PATCH', '/v1/me/factors/{factor_id}', 'repeatable'),
  removeFactor: row('DELETE', '/v1/me/factors/{factor_id}', 'once'),
  renewRecoveryCodes: once('/v1/me/factors/recovery-codes'),
  beginPasskey: once('/v1/me/factors/passkeys/options'),
  addPasskey: once('/v1/me/factors/passkeys'),
  beginPasskeyLogin: repeatable('/v1/auth/passkey/options', 'anonymous'),
  loginWithPasskey: once('/v1/auth/passkey', 'anonymous'),
  setOrganizationSecurity: row('PATCH', '/v1/organization', 'repeatable'),
  acceptInvitation: once('/v1/auth/invitations/accept', 'anonymous'),
  verifyEmail: once('/v1/auth/verify-email', 'anonymous'),
  requestEmailVerification: once('/v1/me/email-verification'),
  requestPasswordReset: once('/v1/auth/password-reset', 'anonymous'),
  confirmPasswordReset: once('/v1/auth/password-reset/confirm', 'anonymous'),
  inviteMember: once('/v1/members/invitations'),
  listInvitations: read('/v1/members/invitations'),
  revokeInvitation: row('DELETE', '/v1/members/invitations/{invitation_id}', 'once'),
  listMembers: read('/v1/members'),
  setMemberRole: row('PATCH', '/v1/members/{user_id}', 'repeatable'),
  removeMember: row('DELETE', '/v1/members/{user_id}', 'once'),
  resetMemberFactors: row('DELETE', '/v1/members/{user_id}/factors', 'repeatable'),
  handOverOwnership: once('/v1/organization/ownership'),
  endSession: row('DELETE', '/v1/me/sessions/{session_id}', 'once'),
  changePassword: once('/v1/me/password'),
  requestDeletion: once('/v1/me/deletion-requests'),
  listDeletions: read('/v1/me/deletion-requests'),
  cancelDeletion: row('DELETE', '/v1/me/deletion-requests/{request_uuid}', 'once'),
  recordConsent: once('/v1/consents'),
  requestEnvAccess: once('/v1/me/env-access-requests'),
  listEnvAccess: read('/v1/me/env-access-requests'),
  applyAsIntegrator: once(applications),
  reissueIntegrator: once(`${applications}/reissue`),
  listIntegratorApplications: read(applications),
  mintHandoff: once(`${applications}/{application_id}/handoff`),
  exchangeHandoff: once('/v1/handoff/exchange', 'anonymous'),

  issueAppCredential: once('/v1/app-credentials'),
  listAppCredentials: read('/v1/app-credentials'),
  revokeAppCredential: repeatable('/v1/app-credentials/{client_id}/revoke'),
  listOAuthGrants: read('/v1/oauth/grants'),
  revokeOAuthGrant: repeatable('/v1/oauth/grants/{grant_id}/revoke'),
  approveOAuthInteraction: once(`${interaction}/approve`),
  denyOAuthInteraction: once(`${interaction}/deny`),

  linkCredential: once('/v1/credentials/link'),
  listAccountLinks: read('/v1/credentials'),
  readAccountLink: read(link),
  createConsentUrl: repeatable('/v1/credentials/consent-url'),
  consentReturn: read(CONSENT_RETURN, 'anonymous'),
  selectAssets: row('PUT', `${link}/selected-assets`, 'repeatable'),
  unlinkCredential: repeatable(`${link}/unlink`),
  linkBankAccount: once(`${link}/bank-accounts`),
  listBankAccounts: read(`${link}/bank-accounts`),
  readBankAccount: read(account),
  updateBankAccount: row('PATCH', account, 'once'),
  unlinkBankAccount: row('DELETE', account, 'repeatable'),
  setDefaultBankAccount: row('PUT', `${account}/default`, 'repeatable'),

  readMembership: read('/v1/membership/me', 'client'),

  taxPortalHealth: read(`${tax}/a/s1/health`, 'client'),
  taxPortalInfo: read(`${tax}/info`, 'client'),
  taxPortalLogin: keyed(`${tax}/a/s1/login`),
  // A GET without a key that runs and charges a job.
  taxPortalUserInfo: row('GET', `${tax}/a/s1/user/info`, 'once', 'client'),
  taxPortalCertificatesList: keyed(`${tax}/a/c1/certificates-list`),
  taxPortalNationalTaxPayment: keyed(`${tax}/a/c1/national-tax-payment`),
  taxPortalTaxPaymentRecord: keyed(`${tax}/a/c1/tax-payment-record`),
  taxPortalVatStandard: keyed(`${tax}/a/c1/vat-standard`),
  taxPortalBusinessRegistration: keyed(`${tax}/a/c1/business-registration`),
  taxPortalBusinessSuspension: keyed(`${tax}/a/c1/business-suspension`),
  taxPortalFinancialStatement: keyed(`${tax}/a/c1/financial-statement`),
  taxPortalBusinessClosure: keyed(`${tax}/a/c1/business-closure`),
  taxPortalBusinessRegistrationReissue: keyed(`${tax}/a/c1/business-registration-reissue`),
  taxPortalIncomeStatement: keyed(`${tax}/a/c1/income-statement`),
  taxPortalInvoiceSummary: keyed(`${tax}/a/e1/invoice-summary`),
  taxPortalCreditCardSalesData: keyed(`${tax}/a/t1/credit-card-sales-data`),
  taxPortalPaymentStatement: keyed(`${tax}/a/t1/payment-statement`),
  taxPortalPaymentStatementSubmitHistory: keyed(`${tax}/a/t1/payment-statement-submit-history`),

  callMcp: keyed('/mcp'),

  listInstitutions: read('/v1/institutions', 'client'),
  listProducts: read('/v1/products', 'client'),
  readProduct: read('/v1/products/{id}', 'client'),
  createProduct: once('/v1/products'),
  listProductVersions: read('/v1/products/{id}/versions'),
  createProductVersion: once('/v1/products/{id}/versions'),
  publishProductVersion: once(`${version}/publish`),
  deprecateProductVersion: once(`${version}/deprecate`),
  retireProductVersion: once(`${version}/retire`),

  listPlans: read('/v1/billing/plans', 'client'),
  readBillingAccount: read('/v1/billing/account'),
  readSubscription: read('/v1/billing/subscription'),
  listInvoices: read('/v1/billing/invoices'),
  readInvoice: read('/v1/billing/invoices/{invoice_id}'),
  readOfflineProfile: read(offlineProfile),
  replaceOfflineProfile: row('PUT', offlineProfile, 'repeatable'),
  createBillingAuthSession: repeatable('/v1/billing/auth-sessions'),
  registerPaymentMethod: repeatable(paymentMethod),
  readPaymentMethod: read(paymentMethod),
  recordInvoice: once('/v1/admin/invoices'),
  openInvoice: once(`${invoice}/open`),
  payInvoice: once(`${invoice}/pay`),
  voidInvoice: once(`${invoice}/void`),
  markInvoiceUncollectible: once(`${invoice}/uncollectible`),
  refundInvoice: once(`${invoice}/refund`),

  listEnvAccessForAdmin: read('/v1/admin/env-access-requests'),
  decideEnvAccess: once('/v1/admin/env-access-requests/{request_id}/decision'),
  listIntegratorApplicationsForAdmin: read('/v1/admin/integrator-applications'),
  decideIntegratorApplication: once('/v1/admin/integrator-applications/{application_id}/decision'),
  setSubscription: once('/v1/admin/organizations/{organization_id}/subscription'),
  addMember: repeatable('/v1/admin/organizations/{organization_id}/members'),
  issueLegacyApiKey: once('/v1/admin/legacy-api-keys'),
  listLegacyApiKeys: read('/v1/admin/legacy-api-keys'),
  rotateLegacyApiKey: once('/v1/admin/legacy-api-keys/{key_id}/rotate'),
  revokeLegacyApiKey: repeatable('/v1/admin/legacy-api-keys/{key_id}/revoke'),
  listOrganizations: read('/v1/admin/organizations'),
  readServiceState: read('/v1/admin/service-state'),
  listSimulators: read('/v1/admin/simulators'),
  setSimulatorState: row('PUT', '/v1/admin/simulators/{provider}', 'repeatable'),
  listAudit: read('/v1/admin/audit'),
  rotateAppCredential: once('/v1/app-credentials/{client_id}/rotate'),
  listOwnAudit: read('/v1/audit'),
  exportOwnAudit: read('/v1/audit/export'),
};
