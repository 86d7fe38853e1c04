import { accountLinkScripts } from './account-links.ts';
import { adminScripts } from './admins.ts';
import { allAccountsScripts } from './all-accounts.ts';
import { appCredentialScripts } from './app-credentials.ts';
import { auditScripts } from './audit.ts';
import { bankAccountScripts } from './bank-accounts.ts';
import { breakerScripts } from './breakers.ts';
import { clockScripts } from './clock-scripts.ts';
import { consentStateScripts } from './consent-states.ts';
import { consentScripts } from './consents.ts';
import { deletionScripts } from './deletions.ts';
import { engineScripts } from './engine-scripts.ts';
import { envAccessScripts } from './env-access.ts';
import { integratorScripts } from './integrators.ts';
import { invoiceScripts } from './invoices.ts';
import { jobScripts } from './jobs.ts';
import { legacyApiKeyScripts } from './legacy-api-keys.ts';
import { loginAttemptScripts } from './login-attempts.ts';
import { memberScripts } from './members.ts';
import { membershipScripts } from './membership.ts';
import { offlineProfileScripts } from './offline-profiles.ts';
import { organizationKeyScripts } from './organization-keys.ts';
import { paymentMethodScripts } from './payment-methods.ts';
import { portalSessionScripts } from './portal-sessions.ts';
import { productScripts } from './products.ts';
import { queueDepthScripts } from './queue-depth.ts';
import { queuedJobScripts } from './queued-jobs.ts';
import { resultScripts } from './results.ts';
import { ringKeyScripts } from './ring-keys.ts';
import type { Script } from './script.ts';
import { subscriptionScripts } from './subscriptions.ts';
import { unlinkScripts } from './unlink.ts';
import { usageInvoiceScripts } from './usage-invoices.ts';
import { userScripts } from './users.ts';

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
  breakers: breakerScripts,
  admins: adminScripts,
  appCredentials: appCredentialScripts,
  legacyApiKeys: legacyApiKeyScripts,
  organizationKeys: organizationKeyScripts,
  ringKeys: ringKeyScripts,
  users: userScripts,
  accountLinks: accountLinkScripts,
  audit: auditScripts,
  bankAccounts: bankAccountScripts,
  consentStates: consentStateScripts,
  consents: consentScripts,
  deletions: deletionScripts,
  envAccess: envAccessScripts,
  integrators: integratorScripts,
  loginAttempts: loginAttemptScripts,
  members: memberScripts,
  subscriptions: subscriptionScripts,
  unlink: unlinkScripts,
  portalSessions: portalSessionScripts,
  products: productScripts,
  invoices: invoiceScripts,
  usageInvoices: usageInvoiceScripts,
  offlineProfiles: offlineProfileScripts,
  paymentMethods: paymentMethodScripts,
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
