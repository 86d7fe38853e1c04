import type { Registration } from '@changgu/contract';
import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import { operations } from '@changgu/contract/schemas';
import type { PaymentProvider } from '../billing/payment-provider.ts';
import type { SoldVersions } from '../catalog/sold-versions.ts';
import type { CoreDependencies } from '../core.ts';
import {
  createCiphertextBinding,
  createCiphertextReceipt,
} from '../credentials/bound-ciphertexts.ts';
import type { ConsentServers } from '../credentials/consent-server.ts';
import { createIdentities } from '../credentials/identity.ts';
import type { LinkDependencies } from '../credentials/link.ts';
import { createOpeningQueue } from '../credentials/opening-queue.ts';
import { serverSecretsOf } from '../crypto/master-keys/master-key.ts';
import type { EventFeed } from '../events/event-feed.ts';
import type { HttpApp } from '../http/app.ts';
import { consoleRoutes } from '../http/console/console-routes.ts';
import type { SignInOnce } from '../http/console/sign-in-once.ts';
import { createJobDeprecation } from '../http/deprecation.ts';
import { openApiDocument } from '../http/openapi-document.ts';
import { passkeyScriptRoute } from '../http/pages/passkey-script-route.ts';
import { adminRoutes } from '../http/routes/admin.ts';
import { allAccountsRoute } from '../http/routes/all-accounts.ts';
import { appCredentialRoutes } from '../http/routes/app-credentials.ts';
import { artifactRoutes } from '../http/routes/artifacts.ts';
import { auditRoutes } from '../http/routes/audit.ts';
import { authRoutes } from '../http/routes/auth.ts';
import { bankAccountRoutes } from '../http/routes/bank-accounts.ts';
import { billingRoutes } from '../http/routes/billing.ts';
import { catalogRoutes } from '../http/routes/catalog.ts';
import { consentRoutes } from '../http/routes/consents.ts';
import { credentialRoutes } from '../http/routes/credentials.ts';
import { cryptoKeyRoutes } from '../http/routes/crypto-key.ts';
import { type DemoKey, documentationRoutes } from '../http/routes/documentation.ts';
import { eventRoutes } from '../http/routes/events.ts';
import { handoffRoute } from '../http/routes/handoff.ts';
import { institutionRoute } from '../http/routes/institutions.ts';
import { jobOverviewRoutes } from '../http/routes/job-overviews.ts';
import { jobRoutes } from '../http/routes/jobs.ts';
import { meRoutes } from '../http/routes/me.ts';
import { membershipRoute } from '../http/routes/membership.ts';
import { type MetricsAccess, metricsRoute } from '../http/routes/metrics.ts';
import { oauthRoutes } from '../http/routes/oauth.ts';
import { factorRoutes } from '../http/routes/people/factors.ts';
import { memberRoutes } from '../http/routes/people/members.ts';
import { oneTimeLinkRoutes } from '../http/routes/people/one-time-links.ts';
import { sessionRoutes } from '../http/routes/people/sessions.ts';
import { receiptRoutes } from '../http/routes/receipts.ts';
import { securityTxtRoute } from '../http/routes/security-txt.ts';
import {
  serviceStateRoute,
  simulatorRoutes,
  systemRoutes,
  testClockRoute,
} from '../http/routes/system.ts';
import { taxPortalRoutes } from '../http/routes/tax-portal.ts';
import { webhookRoutes } from '../http/routes/webhooks.ts';
import type { SessionCookies } from '../http/session-cookies.ts';
import type { ConfiguredProvider } from '../identity-providers/configured-provider.ts';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import type { SimulatorControl } from '../institutions/simulator-control.ts';
import type { ProductCap } from '../jobs/all-accounts/submit-all-accounts.ts';
import type { ResultDependencies } from '../jobs/result.ts';
import type { JobWaits } from '../jobs/wait.ts';
import type { PostOffice } from '../mail/post-office.ts';
import { mcpRoute } from '../mcp/route.ts';
import type { Interactions } from '../oauth/interactions.ts';
import type { PasswordCheck } from '../principals/password-check.ts';
import { findReceipt } from '../receipts/read-receipts.ts';
import type { SignReceipts } from '../receipts/signer.ts';
import type { EnvAccessSettings } from '../rules/organizations/env-access.ts';
import type { ConfiguredPlan } from '../rules/quota/plans.ts';
import type { SubmissionRules } from '../rules/submission/submission.ts';
import type { WebhookUrlPolicy } from '../rules/webhooks/webhook-url.ts';

const CONSENT_RETURN_PATH = operations.credentials.consentReturn.path;

export interface RouteDependencies {
  readonly core: CoreDependencies;
  readonly waits: JobWaits;
  readonly feed: EventFeed;
  readonly webhookUrls: WebhookUrlPolicy;
  readonly sign: SignReceipts;
  readonly rules: SubmissionRules;
  readonly bankProductCap: ProductCap;
  readonly storageLimitBytes: number;
  readonly plans: Readonly<Record<string, ConfiguredPlan>>;
  readonly envAccess: EnvAccessSettings;
  readonly registration: Registration;
  readonly passwordCheck: PasswordCheck;
  readonly cookies: SessionCookies;
  readonly postOffice: PostOffice;
  /** Links that nothing sends may be shown in the log: `dev`. */
  readonly tellsLinks: boolean;
  /** Null: OAuth is off. */
  readonly interactions: Interactions | null;
  readonly identityProviders: readonly ConfiguredProvider[];
  readonly logoutAddress: (sessionId: string) => Promise<string | null>;
  readonly institutions: readonly CatalogueInstitution[];
  /** Which version of each action is sold now. */
  readonly sold: SoldVersions;
  readonly addresses: InstitutionAddresses;
  /** How long an institution keeps a login without requests. */
  readonly sessionIdleMs: (provider: string) => number;
  /** How long a tool call waits for its jobs. */
  readonly mcpWaitSeconds: number;
  readonly consentServers: ConsentServers;
  readonly paymentProvider: PaymentProvider;
  /** Known once the server listens. */
  readonly publicBaseUrl: () => string;
  /** Undefined: no security.txt. */
  readonly securityContact: string | undefined;
  /** Null: no /metrics. */
  readonly metrics: MetricsAccess | null;
  /** Filled into the API reference; null: none. */
  readonly demoKey: DemoKey | null;
  readonly isConsoleOn: boolean;
  /** Null: signing in by a link is off. */
  readonly signInOnce: SignInOnce | null;
  /** Null: institutions are not simulated, or not steered from here. */
  readonly simulatorControl: SimulatorControl | null;
  /** Null: no test clock. */
  readonly advanceClock: ((seconds: number) => Promise<number>) | null;
}

/** Every route of the service, one file per resource. */
export function addRoutes(app: HttpApp, routes: RouteDependencies): void {
  const { core, waits, rules, publicBaseUrl } = routes;
  const { store, vault, urlSigner, encryptionKeys, clock } = core;
  systemRoutes(app, { clock, ping: store.ping, pingWrites: store.pingWrites });
  const identities = createIdentities(store, vault);
  const receiveCiphertexts = createCiphertextReceipt(identities);
  const bindCiphertexts = createCiphertextBinding(store, receiveCiphertexts);
  const submissions = { store, vault, rules, receiveCiphertexts };
  const { institutions, sold, sign } = routes;
  const receiptOf: ResultDependencies['receiptOf'] = async (access, jobId) =>
    (await findReceipt({ store, sign }, access, jobId))?.jws ?? null;
  const results = { store, vault, urlSigner, publicBaseUrl, receiptOf };
  const deprecationOf = createJobDeprecation(store, sold);
  jobRoutes(app, { store, waits, submissions, results, deprecationOf, institutions });
  jobOverviewRoutes(app, { store });
  catalogRoutes(app, { store, institutions, sold });
  const actions = institutions.flatMap((institution) => institution.actions);
  taxPortalRoutes(app, { store, waits, submissions, results, actions, deprecationOf });
  institutionRoute(app, { store, institutions, addresses: routes.addresses });
  serviceStateRoute(app, {
    store,
    institutions,
    addresses: routes.addresses,
    hasTestClock: routes.advanceClock !== null,
    hasSimulators: routes.simulatorControl !== null,
  });
  const cap = routes.bankProductCap;
  allAccountsRoute(app, { store, rules, cap, deprecationOf });
  mcpRoute(app, async () => {
    // The protocol's library, for those who use it.
    const { createMcpService } = await import('../mcp/serve-mcp.ts');
    const { mcpWaitSeconds: waitSeconds } = routes;
    const { addresses, sessionIdleMs, feed } = routes;
    const shared = { store, waits, submissions, results, cap, addresses, waitSeconds, feed };
    const consoleOrigin = () => (routes.isConsoleOn ? publicBaseUrl() : undefined);
    const inside = { institutions, sessionIdleMs, urlSigner, files: vault, consoleOrigin };
    return createMcpService({ ...shared, ...inside });
  });
  eventRoutes(app, routes.feed);
  webhookRoutes(app, { store, vault, clock, urls: routes.webhookUrls });
  receiptRoutes(app, { store, sign, ring: core.receiptRing });
  artifactRoutes(app, { store, vault, urlSigner, clock });
  cryptoKeyRoutes(app, { store, encryptionKeys });
  accountRoutes(app, routes, { identities, bindCiphertexts });
  documentationRoutes(
    app,
    () => openApiDocument(routes.institutions, publicBaseUrl()),
    routes.demoKey,
  );
  if (routes.isConsoleOn) consoleRoutes(app, routes.signInOnce);
  if (routes.securityContact !== undefined) {
    securityTxtRoute(app, routes.securityContact, { clock, publicBaseUrl });
  }
  if (routes.metrics) metricsRoute(app, routes.metrics);
  if (routes.simulatorControl) simulatorRoutes(app, routes.simulatorControl);
  if (routes.advanceClock) testClockRoute(app, routes.advanceClock);
}

/** People, keys, and what they keep with the service. */
function accountRoutes(
  app: HttpApp,
  routes: RouteDependencies,
  { identities, bindCiphertexts }: Pick<LinkDependencies, 'identities' | 'bindCiphertexts'>,
): void {
  const { core, plans, envAccess, institutions, consentServers, publicBaseUrl } = routes;
  const { store, vault, tokens, encryptionKeys, clock } = core;
  const redirectUri = () => new URL(CONSENT_RETURN_PATH, publicBaseUrl()).href;
  const { cookies, passwordCheck } = routes;
  const { postOffice, registration } = routes;
  const recovery = { store, postOffice, tellsLinks: routes.tellsLinks };
  const serverSecrets = () => serverSecretsOf(core.masterKeys);
  const passkeys = { store, vault, clock, publicBaseUrl, attemptSecrets: serverSecrets };
  authRoutes(
    app,
    { store, tokens, vault, clock, cookies, recovery, passkeys, passwordCheck },
    registration,
  );
  const { logoutAddress, identityProviders } = routes;
  sessionRoutes(app, { store, cookies, logoutAddress, identityProviders, registration });
  if (routes.interactions !== null || identityProviders.length > 0) passkeyScriptRoute(app);
  memberRoutes(app, { store, postOffice });
  oneTimeLinkRoutes(app, {
    ...recovery,
    store,
    vault,
    clock,
    registration,
    passwordCheck,
    passkeys,
  });
  factorRoutes(app, passkeys);
  meRoutes(app, { store, tokens, envAccess, cookies, passwordCheck });
  consentRoutes(app, { store });
  handoffRoute(app, { store });
  appCredentialRoutes(app, { store });
  auditRoutes(app, { store });
  oauthRoutes(app, { store, clock, interactions: routes.interactions });
  const { addresses } = routes;
  const linking = {
    store,
    vault,
    encryptionKeys,
    bindCiphertexts,
    identities,
    institutions,
    addresses,
  };
  const openings = createOpeningQueue();
  credentialRoutes(app, { ...linking, clock, consentServers, redirectUri, openings });
  bankAccountRoutes(app, linking);
  membershipRoute(app, { store, plans, storageLimitBytes: routes.storageLimitBytes });
  adminRoutes(app, { store, plans, envAccess });
  const { paymentProvider } = routes;
  billingRoutes(app, { store, vault, plans, paymentProvider, proofSecrets: serverSecrets });
}
