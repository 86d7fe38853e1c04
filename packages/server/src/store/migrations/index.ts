import type { Kysely } from 'kysely';
import type { Dialect } from '../transactions/script.ts';
import { up as linkPurpose } from './0060-link-purpose.ts';
import { up as consoleSessions } from './0070-console-sessions.ts';
import { up as people } from './0071-people.ts';
import { up as secondFactors } from './0072-second-factors.ts';
import { up as auditChain } from './0075-audit-chain.ts';
import { up as keyLimits } from './0076-key-limits.ts';
import { up as hotHeartbeats } from './0080-hot-heartbeats.ts';
import { up as events } from './0085-events.ts';
import { up as oauth } from './0095-oauth.ts';
import { up as webhooks } from './0110-webhooks.ts';
import { up as receipts } from './0115-receipts.ts';
import { up as allAccountsRuns } from './0120-all-accounts-runs.ts';
import { up as passkeys } from './0125-passkeys.ts';
import { up as oauthResources } from './0130-oauth-resources.ts';
import { up as identityProviders } from './0131-identity-providers.ts';
import { up as storedBytes } from './0135-stored-bytes.ts';
import { up as dataKeyGenerations } from './0136-data-key-generations.ts';
import { up as submissionOrigin } from './0140-submission-origin.ts';
import { up as notedLimits } from './0141-noted-limits.ts';
import { up as legacyKeyLimits } from './0142-legacy-key-limits.ts';
import { up as laneTurns } from './0143-lane-turns.ts';
import { up as recentWork } from './0144-recent-work.ts';
import { up as storedByteChanges } from './0145-stored-byte-changes.ts';
import { up as askedToWait } from './0165-asked-to-wait.ts';
import { up as consentPurpose } from './0170-consent-purpose.ts';
import { up as bankAccountRevision } from './0175-bank-account-revision.ts';
import { up as resumedSubscriptions } from './0180-resumed-subscriptions.ts';
import { up as latestConsents } from './0185-latest-consents.ts';
import { up as equalApplications } from './0190-equal-applications.ts';
import { up as jobs } from './foundation/0001-jobs.ts';
import { up as accountLinks } from './foundation/0002-account-links.ts';
import { up as clients } from './foundation/0003-clients.ts';
import { up as organizations } from './foundation/0010-organizations.ts';
import { up as credentials } from './foundation/0011-credentials.ts';
import { up as keys } from './foundation/0012-keys.ts';
import { up as audit } from './foundation/0013-audit.ts';
import { up as portalSessions } from './foundation/0020-portal-sessions.ts';
import { up as catalog } from './foundation/0030-catalog.ts';
import { up as billing } from './foundation/0031-billing.ts';
import { up as paymentMethods } from './foundation/0032-payment-methods.ts';
import { up as subscriptionRenewal } from './foundation/0033-subscription-renewal.ts';
import { up as queuedByEnvironment } from './foundation/0034-queued-by-environment.ts';
import { up as usagePeriodOrder } from './foundation/0035-usage-period-order.ts';
import { up as keysOfOrganizations } from './foundation/0036-keys-of-organizations.ts';
import { up as loginSafety } from './foundation/0050-login-safety.ts';
import { up as boundCiphertexts } from './foundation/0051-bound-ciphertexts.ts';
import { up as knownAddresses } from './foundation/0052-known-addresses.ts';
import { up as claimsByInstitution } from './foundation/0053-claims-by-institution.ts';

export interface Migration {
  readonly name: string;
  /**
   * The previous version can run next to it without noticing: a new table, an index more or less, a
   * column that is nullable or has a default. Set it wherever it is true; an older program may then start.
   */
  readonly additive?: true;
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>;
}

/** Forward only, in this order; never edited once released. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-jobs', up: jobs },
  { name: '0002-account-links', up: accountLinks },
  { name: '0003-clients', up: clients },
  { name: '0010-organizations', up: organizations },
  { name: '0011-credentials', up: credentials },
  { name: '0012-keys', up: keys },
  { name: '0013-audit', up: audit },
  { name: '0020-portal-sessions', up: portalSessions },
  { name: '0030-catalog', up: catalog },
  { name: '0031-billing', up: billing },
  { name: '0032-payment-methods', up: paymentMethods },
  { name: '0033-subscription-renewal', up: subscriptionRenewal },
  { name: '0034-queued-by-environment', up: queuedByEnvironment },
  { name: '0035-usage-period-order', up: usagePeriodOrder },
  { name: '0036-keys-of-organizations', up: keysOfOrganizations },
  { name: '0050-login-safety', up: loginSafety },
  { name: '0051-bound-ciphertexts', up: boundCiphertexts },
  { name: '0052-known-addresses', up: knownAddresses },
  { name: '0053-claims-by-institution', additive: true, up: claimsByInstitution },
  { name: '0060-link-purpose', up: linkPurpose },
  { name: '0070-console-sessions', additive: true, up: consoleSessions },
  { name: '0071-people', additive: true, up: people },
  { name: '0072-second-factors', additive: true, up: secondFactors },
  { name: '0075-audit-chain', additive: true, up: auditChain },
  { name: '0076-key-limits', additive: true, up: keyLimits },
  { name: '0080-hot-heartbeats', additive: true, up: hotHeartbeats },
  { name: '0085-events', additive: true, up: events },
  { name: '0095-oauth', additive: true, up: oauth },
  { name: '0110-webhooks', additive: true, up: webhooks },
  { name: '0115-receipts', additive: true, up: receipts },
  { name: '0120-all-accounts-runs', additive: true, up: allAccountsRuns },
  { name: '0125-passkeys', additive: true, up: passkeys },
  { name: '0130-oauth-resources', additive: true, up: oauthResources },
  { name: '0131-identity-providers', additive: true, up: identityProviders },
  { name: '0135-stored-bytes', additive: true, up: storedBytes },
  { name: '0136-data-key-generations', additive: true, up: dataKeyGenerations },
  { name: '0140-submission-origin', additive: true, up: submissionOrigin },
  { name: '0141-noted-limits', additive: true, up: notedLimits },
  { name: '0142-legacy-key-limits', additive: true, up: legacyKeyLimits },
  { name: '0143-lane-turns', additive: true, up: laneTurns },
  { name: '0144-recent-work', additive: true, up: recentWork },
  { name: '0145-stored-byte-changes', additive: true, up: storedByteChanges },
  { name: '0165-asked-to-wait', additive: true, up: askedToWait },
  { name: '0170-consent-purpose', additive: true, up: consentPurpose },
  { name: '0175-bank-account-revision', additive: true, up: bankAccountRevision },
  { name: '0180-resumed-subscriptions', additive: true, up: resumedSubscriptions },
  { name: '0185-latest-consents', additive: true, up: latestConsents },
  { name: '0190-equal-applications', additive: true, up: equalApplications },
];
