import { auditScripts } from './audit/audit-scripts.ts';
import { invoiceScripts } from './billing/invoices.ts';
import { membershipScripts } from './billing/membership.ts';
import { offlineProfileScripts } from './billing/offline-profiles.ts';
import { paymentMethodScripts } from './billing/payment-methods.ts';
import { subscriptionScripts } from './billing/subscriptions.ts';
import { usageInvoiceScripts } from './billing/usage-invoices.ts';
import { productScripts } from './catalog/products.ts';
import { appCredentialScripts } from './client-keys/app-credentials.ts';
import { keyUseScripts } from './client-keys/key-use.ts';
import { keyInForceScripts } from './client-keys/keys-in-force.ts';
import { legacyApiKeyScripts } from './client-keys/legacy-api-keys.ts';
import { clockScripts } from './clock/clock-scripts.ts';
import { deletionScripts } from './deletions/deletions.ts';
import { eventScripts } from './events/event-scripts.ts';
import { jobScripts } from './job-scripts.ts';
import { dataKeyRotationScripts } from './keys/data-key-rotation.ts';
import { organizationKeyScripts } from './keys/organization-keys.ts';
import { ringKeyScripts } from './keys/ring-keys.ts';
import { sealedRowScripts } from './keys/sealed-rows.ts';
import { accountLinkScripts } from './links/account-links.ts';
import { bankAccountScripts } from './links/bank-accounts.ts';
import { consentStateScripts } from './links/consent-states.ts';
import { portalSessionScripts } from './links/portal-sessions.ts';
import { unlinkScripts } from './links/unlink.ts';
import { mailOutboxScripts } from './mail/mail-outbox.ts';
import { oauthArtifactScripts } from './oauth/artifacts.ts';
import { oauthClientScripts } from './oauth/clients.ts';
import { oauthGrantScripts } from './oauth/grants.ts';
import { organizationScripts } from './organizations/organizations.ts';
import { adminScripts } from './people/admins.ts';
import { consentScripts } from './people/consents.ts';
import { consoleSessionScripts } from './people/console-sessions.ts';
import { factorScripts } from './people/factors.ts';
import { identityScripts } from './people/identities.ts';
import { invitationScripts } from './people/invitations.ts';
import { loginAttemptScripts } from './people/login-attempts.ts';
import { loginDomainScripts } from './people/login-domains.ts';
import { memberScripts } from './people/members.ts';
import { oneTimeLinkScripts } from './people/one-time-links.ts';
import { passkeyScripts } from './people/passkeys.ts';
import { signInAttemptScripts } from './people/sign-in-attempts.ts';
import { switchScripts } from './people/switches.ts';
import { userScripts } from './people/users.ts';
import { vouchedSessionScripts } from './people/vouched-sessions.ts';
import { breakerScripts } from './queue/breakers.ts';
import { engineScripts } from './queue/engine-scripts.ts';
import { queueDepthScripts } from './queue/queue-depth.ts';
import { queuedJobScripts } from './queue/queued-jobs.ts';
import { resultScripts } from './queue/results.ts';
import { receiptScripts } from './receipts/receipt-scripts.ts';
import { envAccessScripts } from './requests/env-access.ts';
import { handoffTokenScripts } from './requests/handoff-tokens.ts';
import { integratorScripts } from './requests/integrators.ts';
import { allAccountsScripts } from './submission/all-accounts.ts';
import { boundCiphertextScripts } from './submission/bound-ciphertexts.ts';
import type { Script } from './transactions/script.ts';
import { webhookCourierScripts } from './webhooks/courier-scripts.ts';
import { webhookDeliveryScripts } from './webhooks/delivery-scripts.ts';
import { webhookDisableScripts } from './webhooks/disable-scripts.ts';
import { webhookScripts } from './webhooks/webhook-scripts.ts';

/**
 * Every group of transaction scripts, one per aggregate: `store.<group>.<script>(input)`.
 * Adding an aggregate is one schema file, one migration, one file of scripts and one line here.
 */
export const SCRIPTS = {
  clock: clockScripts,
  jobs: jobScripts,
  allAccounts: allAccountsScripts,
  results: resultScripts,
  engine: engineScripts,
  events: eventScripts,
  webhooks: webhookScripts,
  webhookDeliveries: webhookDeliveryScripts,
  webhookCouriers: webhookCourierScripts,
  webhookDisabling: webhookDisableScripts,
  receipts: receiptScripts,
  boundCiphertexts: boundCiphertextScripts,
  breakers: breakerScripts,
  admins: adminScripts,
  appCredentials: { ...appCredentialScripts, ...keyInForceScripts },
  keyUse: keyUseScripts,
  legacyApiKeys: legacyApiKeyScripts,
  organizationKeys: organizationKeyScripts,
  dataKeyRotation: dataKeyRotationScripts,
  sealedRows: sealedRowScripts,
  ringKeys: ringKeyScripts,
  users: userScripts,
  accountLinks: accountLinkScripts,
  audit: auditScripts,
  bankAccounts: bankAccountScripts,
  consentStates: consentStateScripts,
  consents: consentScripts,
  consoleSessions: consoleSessionScripts,
  deletions: deletionScripts,
  envAccess: envAccessScripts,
  integrators: { ...integratorScripts, ...handoffTokenScripts },
  loginAttempts: loginAttemptScripts,
  members: memberScripts,
  invitations: invitationScripts,
  identities: identityScripts,
  loginDomains: loginDomainScripts,
  signInAttempts: signInAttemptScripts,
  vouchedSessions: vouchedSessionScripts,
  factors: factorScripts,
  passkeys: passkeyScripts,
  switches: switchScripts,
  oneTimeLinks: oneTimeLinkScripts,
  mailOutbox: mailOutboxScripts,
  subscriptions: subscriptionScripts,
  unlink: unlinkScripts,
  portalSessions: portalSessionScripts,
  products: productScripts,
  invoices: invoiceScripts,
  usageInvoices: usageInvoiceScripts,
  offlineProfiles: offlineProfileScripts,
  organizations: organizationScripts,
  paymentMethods: paymentMethodScripts,
  oauthArtifacts: oauthArtifactScripts,
  oauthClients: oauthClientScripts,
  oauthGrants: oauthGrantScripts,
  queuedJobs: queuedJobScripts,
  queueDepth: queueDepthScripts,
  membership: membershipScripts,
};

export type ScriptGroups = typeof SCRIPTS;

/** A call by name, as it travels to where the database is. */
export interface ScriptName {
  readonly group: string;
  readonly script: string;
}

const GROUPS: Readonly<Record<string, Readonly<Record<string, Script<unknown, unknown>>>>> =
  SCRIPTS;

export function findScript({ group, script }: ScriptName): Script<unknown, unknown> {
  const found = GROUPS[group]?.[script];
  if (found === undefined) throw new Error(`there is no script ${group}.${script}`);
  return found;
}

export function scriptNames(): ScriptName[] {
  return Object.entries(GROUPS).flatMap(([group, scripts]) =>
    Object.keys(scripts).map((script) => ({ group, script })),
  );
}
