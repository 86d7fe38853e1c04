import type { Catalogue } from '@changgu/contract/catalogue';
import { createSoldVersions } from '../catalog/sold-versions.ts';
import { createSubmissionRules } from '../catalog/submission-rules.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { CoreDependencies } from '../core.ts';
import type { SignInOnce } from '../http/console/sign-in-once.ts';
import type { DemoKey } from '../http/routes/documentation.ts';
import type { InstitutionModule } from '../institutions/connector.ts';
import { siteOf } from '../institutions/own-institutions.ts';
import type { SimulatorControl } from '../institutions/simulator-control.ts';
import { createPasswordCheck } from '../principals/password-check.ts';
import { PORTAL_SESSION_IDLE_MS } from '../rules/jobs/session-idle.ts';
import { envAccessSettings } from '../rules/organizations/env-access.ts';
import type { Outside } from './connect-outside.ts';
import type { Doors } from './open-doors.ts';
import type { RouteDependencies } from './routes.ts';
import { webhookUrlPolicy } from './start-webhooks.ts';

const MEBIBYTE = 1_048_576;

/** What only `dev` has. */
export interface DevelopmentOptions {
  /** Steers the simulated institutions. */
  readonly simulatorControl?: SimulatorControl;
  /** Filled into the API reference, so that its requests work at once. */
  readonly demoKey?: DemoKey;
  /** Who a link into the console signs in. */
  readonly signInOnce?: SignInOnce;
}

type Shared = Pick<RouteDependencies, 'postOffice' | 'waits' | 'feed' | 'sign' | 'publicBaseUrl'>;

interface RouteNeeds extends Pick<RouteDependencies, 'metrics'> {
  readonly core: CoreDependencies;
  readonly catalog: Catalogue;
  readonly ownInstitutions: readonly InstitutionModule[];
  readonly outside: Outside;
  readonly doors: Doors;
  readonly shared: Shared;
  readonly advanceClock: (seconds: number) => Promise<number>;
}

/** What the routes offer, by configuration and catalog. */
export function routeServices(
  config: ServerConfig,
  development: DevelopmentOptions,
  needs: RouteNeeds,
): RouteDependencies {
  const { core, catalog, ownInstitutions, outside, doors, shared, metrics, advanceClock } = needs;
  const isDev = config.mode === 'dev';
  const sold = createSoldVersions(core.store, () => performance.now());
  const storageLimitBytes = config.organizationStorageMib * MEBIBYTE;
  return {
    ...shared,
    core,
    sold,
    metrics,
    storageLimitBytes,
    institutions: catalog.institutions,
    rules: createSubmissionRules({
      actions: catalog.actions,
      addresses: outside.addresses,
      product: ({ id }) => sold.pin(id),
      plans: config.plans,
      queueLimitSeconds: config.queueLimitSeconds,
      storageLimitBytes,
    }),
    bankProductCap: {
      jobs: config.bankProductCap,
      windowSeconds: config.bankProductCapWindowSeconds,
    },
    plans: config.plans,
    addresses: outside.addresses,
    consentServers: outside.consentServers,
    paymentProvider: outside.paymentProvider,
    sessionIdleMs: (provider) =>
      siteOf(ownInstitutions, provider).sessionIdleMs ?? PORTAL_SESSION_IDLE_MS,
    envAccess: envAccessSettings(config.settings),
    registration: config.settings.registration,
    passwordCheck: createPasswordCheck(config.passwordStrength),
    cookies: doors.cookies,
    logoutAddress: doors.logoutAddress,
    interactions: doors.oauth?.host.interactions ?? null,
    identityProviders: config.identityProviders,
    webhookUrls: webhookUrlPolicy(config),
    isConsoleOn: config.console === 'on',
    securityContact: config.securityContact,
    mcpWaitSeconds: config.mcpWaitSeconds,
    tellsLinks: isDev,
    advanceClock: isDev ? advanceClock : null,
    signInOnce: development.signInOnce ?? null,
    demoKey: development.demoKey ?? null,
    simulatorControl: development.simulatorControl ?? null,
  };
}
