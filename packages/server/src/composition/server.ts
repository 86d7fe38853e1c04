import type { AddressInfo } from 'node:net';
import { type Catalogue, loadCatalogue } from '@changgu/contract/catalogue';
import { seedProducts } from '../catalog/seed.ts';

import { systemClock } from '../clock.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { type CoreDependencies, openCore } from '../core.ts';
import { createSweeper, type Sweeper } from '../engine/sweeper.ts';
import { createEventFeed } from '../events/event-feed.ts';
import { closeOnFailure } from '../failures/close-on-failure.ts';
import { separately } from '../failures/separately.ts';
import type { AppOptions, HttpApp } from '../http/app.ts';

import type { InstitutionAddresses } from '../institutions/addresses.ts';
import type { InstitutionModule } from '../institutions/connector.ts';
import { loadOwnInstitutions, withOwnInstitutions } from '../institutions/own-institutions.ts';

import { createJobWaits } from '../jobs/wait.ts';
import { createLogger, type Logger } from '../logging/logger.ts';
import { createPostOffice, type PostOffice } from '../mail/post-office.ts';
import type { DocumentFetch } from '../oauth/client-documents.ts';
import { maintainOrganizations } from '../organizations/maintain.ts';

import { createReceiptSigner } from '../receipts/signer.ts';
import { DAY_MS } from '../rules/durations.ts';

import type { Store } from '../store/database.ts';
import { realTimers, type Timers } from '../timers.ts';
import { connectOutside, type OutsideOptions } from './connect-outside.ts';
import { createMetricsLoader, metricsAccess } from './metrics-loader.ts';
import { openApp } from './open-app.ts';
import { addDoorRoutes, openDoors } from './open-doors.ts';
import { type DevelopmentOptions, routeServices } from './route-services.ts';
import { addRoutes } from './routes.ts';
import { startEngine } from './start-engine.ts';
import { startMaintenance } from './start-maintenance.ts';

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

export interface StartOptions
  extends OutsideOptions,
    DevelopmentOptions,
    Pick<AppOptions, 'refuse' | 'checkAnswers'> {
  readonly logger?: Logger;
  /** Already open; closed with the server all the same. */
  readonly core?: CoreDependencies;
  /** Replaces how the documents of OAuth clients are fetched: for tests. */
  readonly oauthDocuments?: DocumentFetch;
  /** Replaces the time of the worker, by which jobs run out of theirs: for tests. */
  readonly timers?: Timers;
}

type Base = Pick<RunningServer, 'logger' | 'core'>;

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
  base: Base,
): Promise<RunningServer> {
  const parts = await openParts(config, options, base);
  const { core, logger } = base;
  const { running, outside, doors, shared, sweeper } = parts;
  const draining = new AbortController();
  const app = openApp(config, options, {
    core,
    logger,
    doors,
    draining: draining.signal,
    onAnswered: parts.metrics.answered,
  });
  await prepareCatalog(core.store, parts.catalog, outside.addresses);
  const advanceClock = clockAdvance(core, sweeper);
  const metrics = metricsAccess(config, parts.metrics.load);
  addRoutes(app, routeServices(config, options, { ...parts, core, metrics, advanceClock }));
  await addDoorRoutes(app, doors);
  const stopWaiting = closing(shared.waits, shared.feed);
  const open = { app, draining, outside, host: doors.oauth?.host, stopWaiting };
  const stop = () => stopServing(config, open, running);
  const url = await listen(app, config, stopWaiting);
  running.url = url;
  await closeOnFailure(stop, async () => startWork(config, options, { ...parts, ...base }));
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

/** What requests and background work share. Nothing listens or runs yet. */
async function openParts(config: ServerConfig, options: StartOptions, { core, logger }: Base) {
  const running: Running = { url: null, worker: null, stopMaintenance: null };
  const publicBaseUrl = () => config.publicBaseUrl ?? running.url ?? '';
  const ownInstitutions = await loadOwn(config.connectors);
  const catalog = withOwnInstitutions(await loadCatalogue(), ownInstitutions);
  const documents = options.oauthDocuments;
  return {
    running,
    ownInstitutions,
    catalog,
    outside: connectOutside(config, options),
    sweeper: sweeperOf(config, core, catalog),
    metrics: createMetricsLoader(core.store, () => running.worker),
    doors: await openDoors(config, { core, logger, publicBaseUrl, documents }),
    shared: {
      publicBaseUrl,
      postOffice: openPostOffice(config, { core, logger, publicBaseUrl }),
      waits: createJobWaits(core.store),
      feed: createEventFeed(core.store),
      sign: createReceiptSigner(core.store, core.receiptRing),
    },
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** Jobs, where this process runs them, and what is repeated. */
function startWork(
  config: ServerConfig,
  { timers = realTimers }: Pick<StartOptions, 'timers'>,
  { core, logger, running, outside, doors, shared, ...parts }: Parts & Base,
): void {
  const { catalog, ownInstitutions, sweeper } = parts;
  if (config.role !== 'api') {
    const work = { config, core, catalog, ownInstitutions, sweeper, timers, logger };
    running.worker = startEngine({ ...work, ...outside });
  }
  running.stopMaintenance = startMaintenance({
    ...shared,
    config,
    core,
    logger,
    recheck: doors.providers?.recheck,
  });
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
    retentionMs: config.settings.job_retention_days * DAY_MS,
    eventRetentionMs: config.settings.event_retention_days * DAY_MS,
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
