import type { AddressInfo } from 'node:net';
import { type Catalogue, loadCatalogue } from '@changgu/contract/catalogue';
import { seedProducts } from '../catalog/seed.ts';
import { createSoldVersions } from '../catalog/sold-versions.ts';
import { createSubmissionRules } from '../catalog/submission-rules.ts';
import { systemClock } from '../clock.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { type CoreDependencies, openCore } from '../core.ts';
import { createSweeper, type Sweeper } from '../engine/sweeper.ts';
import { createEventFeed } from '../events/event-feed.ts';
import { closeOnFailure } from '../failures/close-on-failure.ts';
import { separately } from '../failures/separately.ts';
import { type AppOptions, createApp, type HttpApp } from '../http/app.ts';
import type { SignInOnce } from '../http/console/sign-in-once.ts';
import { createGate } from '../http/gate.ts';
import type { DemoKey } from '../http/routes/documentation.ts';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import type { InstitutionModule } from '../institutions/connector.ts';
import {
  loadOwnInstitutions,
  siteOf,
  withOwnInstitutions,
} from '../institutions/own-institutions.ts';
import type { SimulatorControl } from '../institutions/simulator-control.ts';
import { createJobWaits } from '../jobs/wait.ts';
import { createLogger, type Logger } from '../logging/logger.ts';
import { createPostOffice, type PostOffice } from '../mail/post-office.ts';
import type { DocumentFetch } from '../oauth/client-documents.ts';
import { maintainOrganizations } from '../organizations/maintain.ts';
import { createPasswordCheck } from '../principals/password-check.ts';
import { createReceiptSigner } from '../receipts/signer.ts';
import { SESSION_IDLE_MS } from '../rules/jobs/session-idle.ts';
import { envAccessSettings } from '../rules/organizations/env-access.ts';
import type { Store } from '../store/database.ts';
import { realTimers, type Timers } from '../timers.ts';
import { connectOutside, type OutsideOptions } from './connect-outside.ts';
import { createMetricsLoader, metricsAccess } from './metrics-loader.ts';
import { addDoorRoutes, type Doors, openDoors } from './open-doors.ts';
import { addRoutes } from './routes.ts';
import { startEngine } from './start-engine.ts';
import { startMaintenance } from './start-maintenance.ts';
import { webhookUrlPolicy } from './start-webhooks.ts';
import { type Running, stopServing } from './stop-serving.ts';

export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly core: CoreDependencies;
  readonly logger: Logger;
  /** Moves business time, runs what became due, and returns the new time in milliseconds. */
  readonly advanceClock: (seconds: number) => Promise<number>;
  /** Takes no more requests and jobs, lets those under way end, and closes the database. */
  readonly close: () => Promise<void>;
}

export interface StartOptions extends OutsideOptions {
  readonly logger?: Logger;
  /** Already open; closed with the server all the same. */
  readonly core?: CoreDependencies;
  /** Steers the simulated institutions; `dev` only. */
  readonly simulatorControl?: SimulatorControl;
  readonly refuse?: AppOptions['refuse'];
  /** Filled into the API reference, so that its requests work at once; `dev` only. */
  readonly demoKey?: DemoKey;
  /** Who a link into the console signs in; `dev` only. */
  readonly signInOnce?: SignInOnce;
  /** Replaces how the documents of OAuth clients are fetched: for tests. */
  readonly oauthDocuments?: DocumentFetch;
  /** Replaces the time of the worker, by which jobs run out of theirs: for tests. */
  readonly timers?: Timers;
  /** Compares every answer with the contract: tests and development. */
  readonly checkAnswers?: boolean;
}

const MEBIBYTE = 1_048_576;

/**
 * Composes a server out of its configuration and starts it: database, keys, HTTP, engine.
 * @throws MasterKeyError, MigrationError, ConnectorModuleError; the system's error when the port is taken
 */
export async function startServer(
  config: ServerConfig,
  options: StartOptions = {},
): Promise<RunningServer> {
  const logger = options.logger ?? createLogger(config.logLevel);
  const core = options.core ?? (await openCore(config, { clock: systemClock }));
  return closeOnFailure(core.close, () => compose(config, options, { logger, core }));
}

async function compose(
  config: ServerConfig,
  options: StartOptions,
  { logger, core }: Pick<RunningServer, 'logger' | 'core'>,
): Promise<RunningServer> {
  const ownInstitutions = await loadOwn(config.connectors);
  const catalog = withOwnInstitutions(await loadCatalogue(), ownInstitutions);
  const outside = connectOutside(config, options);
  const sweeper = sweeperOf(config, core, catalog);
  const advanceClock = clockAdvance(core, sweeper);
  const draining = new AbortController();
  const waits = createJobWaits(core.store);
  const feed = createEventFeed(core.store);
  const sign = createReceiptSigner(core.store, core.receiptRing);
  let url = '';
  const running: Running = { worker: null, stopMaintenance: null };
  const metrics = createMetricsLoader(core.store, () => running.worker);
  const publicBaseUrl = () => config.publicBaseUrl ?? url;
  const postOffice = openPostOffice(config, { core, logger, publicBaseUrl });
  const documents = options.oauthDocuments;
  const doors = await openDoors(config, { core, logger, publicBaseUrl, documents });
  const { oauth, providers, cookies, logoutAddress } = doors;
  const inside = { logger, core, metrics, draining: draining.signal };
  const app = openApp(config, options, { ...inside, ...doors });
  await prepareCatalog(core.store, catalog, outside.addresses);
  const parts = { core, cookies, logoutAddress, postOffice, waits, feed, sign };
  addRoutes(app, {
    ...outside,
    ...servicesOf(config, core, catalog, outside.addresses),
    ...parts,
    sessionIdleMs: (provider) => siteOf(ownInstitutions, provider).sessionIdleMs ?? SESSION_IDLE_MS,
    publicBaseUrl,
    interactions: oauth?.host.interactions ?? null,
    metrics: metricsAccess(config, metrics.load),
    ...developmentParts(config, options, advanceClock),
  });
  await addDoorRoutes(app, doors);
  const stopWaiting = closing(waits, feed);
  const open = { app, draining, outside, host: oauth?.host, stopWaiting };
  const stop = () => stopServing(config, open, running);
  url = await listen(app, config, stopWaiting);
  await closeOnFailure(stop, async () => {
    if (config.role !== 'api') {
      const inner = { config, core, catalog, ownInstitutions, sweeper, logger };
      running.worker = startEngine({ ...outside, ...inner, timers: options.timers ?? realTimers });
    }
    running.stopMaintenance = startMaintenance({ ...parts, ...providers, config, logger });
  });
  return {
    url,
    core,
    logger,
    advanceClock,
    close: () =>
      separately(async (doPart) => {
        await doPart('server', stop);
        await doPart('database', core.close);
      }),
  };
}

/** What only `dev` has. */
function developmentParts(
  { mode }: ServerConfig,
  { signInOnce, demoKey, simulatorControl }: StartOptions,
  advanceClock: RunningServer['advanceClock'],
) {
  return {
    advanceClock: mode === 'dev' ? advanceClock : null,
    signInOnce: signInOnce ?? null,
    demoKey: demoKey ?? null,
    simulatorControl: simulatorControl ?? null,
  };
}

function closing(...parts: readonly { close(): void }[]): () => void {
  return () => {
    for (const part of parts) part.close();
  };
}

/** What is sold, and which links are for production. */
async function prepareCatalog(
  store: Store,
  { institutions }: Catalogue,
  addresses: InstitutionAddresses,
): Promise<void> {
  await seedProducts(store, institutions);
  await store.accountLinks.assignPurposes({
    productionProviders: institutions
      .map(({ provider }) => provider)
      .filter((provider) => addresses.has('production', provider)),
  });
}

function openPostOffice(
  { mode, smtpUrl, mailFrom }: ServerConfig,
  {
    core: { store, vault },
    logger,
    publicBaseUrl,
  }: Pick<RunningServer, 'core' | 'logger'> & { readonly publicBaseUrl: () => string },
): PostOffice {
  const sender = () => mailFrom ?? `changgu@${new URL(publicBaseUrl()).hostname}`;
  const openSmtp =
    smtpUrl === undefined
      ? null
      : async () => (await import('../mail/smtp.ts')).openSmtp(smtpUrl, sender());
  const tellsLinks = mode === 'dev';
  return createPostOffice({ store, vault, logger, publicBaseUrl, openSmtp, tellsLinks });
}

function sweeperOf(config: ServerConfig, { store }: CoreDependencies, catalog: Catalogue): Sweeper {
  return createSweeper({
    store: store.engine,
    breakers: store.breakers,
    actions: catalog.actions,
    leaseMs: config.leaseSeconds * 1_000,
    retentionMs: config.settings.job_retention_days * 86_400_000,
    eventRetentionMs: config.settings.event_retention_days * 86_400_000,
  });
}

function clockAdvance(core: CoreDependencies, sweeper: Sweeper): RunningServer['advanceClock'] {
  return async (seconds) => {
    const now = await core.store.clock.advance({ seconds });
    await sweeper.endDue();
    await maintainOrganizations(core);
    await sweeper.tidy();
    return now;
  };
}

interface AppDependencies extends Pick<RunningServer, 'logger' | 'core'>, Doors {
  readonly metrics: Pick<ReturnType<typeof createMetricsLoader>, 'answered'>;
  readonly draining: AbortSignal;
}

function openApp(config: ServerConfig, options: StartOptions, dependencies: AppDependencies) {
  const { core, logger, cookies, verifiers, oauth, metrics, draining } = dependencies;
  return createApp({
    gate: createGate({
      verifiers,
      cookies,
      challenge: oauth?.challenge,
      rateLimit: config.rateLimit,
      clock: core.clock,
      onLimited: (origin) =>
        core.store.loginAttempts.noteLimit({
          act: 'address.limit',
          actor: { ...origin, kind: 'system', id: 'authentication' },
          organizationId: null,
        }),
    }),
    logger,
    draining,
    trustProxy: config.trustProxy,
    maxConnections: config.maxConnections,
    overHttps: config.publicBaseUrl?.startsWith('https:') ?? false,
    checkAnswers: options.checkAnswers ?? false,
    ...(options.refuse ? { refuse: options.refuse } : {}),
    onAnswered: metrics.answered,
  });
}

/** What the routes offer, by configuration and catalog. */
function servicesOf(
  config: ServerConfig,
  { store }: CoreDependencies,
  { actions, institutions }: Catalogue,
  addresses: InstitutionAddresses,
) {
  const sold = createSoldVersions(store, () => performance.now());
  return {
    rules: createSubmissionRules({
      actions,
      addresses,
      product: ({ id }) => sold.pin(id),
      plans: config.plans,
      queueLimitSeconds: config.queueLimitSeconds,
      storageLimitBytes: config.organizationStorageMib * MEBIBYTE,
    }),
    bankProductCap: {
      jobs: config.bankProductCap,
      windowSeconds: config.bankProductCapWindowSeconds,
    },
    plans: config.plans,
    storageLimitBytes: config.organizationStorageMib * MEBIBYTE,
    envAccess: envAccessSettings(config.settings),
    registration: config.settings.registration,
    passwordCheck: createPasswordCheck(config.passwordStrength),
    identityProviders: config.identityProviders,
    webhookUrls: webhookUrlPolicy(config),
    tellsLinks: config.mode === 'dev',
    isConsoleOn: config.console === 'on',
    securityContact: config.securityContact,
    institutions,
    sold,
    mcpWaitSeconds: config.mcpWaitSeconds,
  };
}

async function loadOwn(path: string | undefined): Promise<readonly InstitutionModule[]> {
  return path === undefined ? [] : loadOwnInstitutions(path);
}

/** Answers where it listens. What waits for jobs would keep the process alive when the port is taken. */
async function listen(app: HttpApp, config: ServerConfig, onFailure: () => void): Promise<string> {
  try {
    await app.fastify.listen(config.listen);
  } catch (failure) {
    onFailure();
    throw failure;
  }
  return listeningUrl(app);
}

function listeningUrl({ fastify }: HttpApp): string {
  // A TCP server that listens has one.
  const { address, family, port } = fastify.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
