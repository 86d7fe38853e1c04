import { randomUUID } from 'node:crypto';
import type { Catalogue } from '@changgu/contract/catalogue';
import type { ServerConfig } from '../config/server-config.ts';
import type { CoreDependencies } from '../core.ts';
import {
  createCiphertextBinding,
  createCiphertextReceipt,
} from '../credentials/bound-ciphertexts.ts';
import { openCallAccount, openCallLink } from '../credentials/call-credentials.ts';
import type { ConsentServers } from '../credentials/consent-server.ts';
import { createIdentities } from '../credentials/identity.ts';
import { consentRenewal } from '../credentials/renew-consent.ts';
import { createRunner } from '../engine/run.ts';
import type { RunDependencies } from '../engine/run-dependencies.ts';
import { withStraysCaught } from '../engine/stray-rejections.ts';
import type { Sweeper } from '../engine/sweeper.ts';
import { startWorker, type Worker } from '../engine/worker/worker.ts';
import type { InstitutionAddresses } from '../institutions/addresses.ts';
import { builtInConnectors } from '../institutions/built-in.ts';
import { createResourceOpener } from '../institutions/call-resources.ts';
import type { Connector, InstitutionModule } from '../institutions/connector.ts';
import { siteOf } from '../institutions/own-institutions.ts';
import type { PortalHttp } from '../institutions/portal/client/http-client.ts';
import type { Logger } from '../logging/logger.ts';
import { defaultPurpose, purposeOf, scopesOfSite } from '../rules/links/link-purpose.ts';
import type { Timers } from '../timers.ts';
import { resultViolations } from '../validation/result-check.ts';
import { traced } from './traced-engine.ts';

export interface EngineDependencies {
  readonly config: ServerConfig;
  readonly core: CoreDependencies;
  readonly catalog: Catalogue;
  readonly addresses: InstitutionAddresses;
  /** Of CHANGGU_CONNECTORS. */
  readonly ownInstitutions: readonly InstitutionModule[];
  readonly portalHttp: () => Promise<PortalHttp>;
  readonly consentServers: ConsentServers;
  readonly sweeper: Sweeper;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Starts the worker of this process: it claims jobs, runs their connectors and sweeps. */
export function startEngine(engine: EngineDependencies): Worker {
  const { config, core, catalog, sweeper, timers, logger } = engine;
  const { store, vault, encryptionKeys } = core;
  const receiveCiphertexts = createCiphertextReceipt(createIdentities(store, vault));
  return startWorker({
    owner: randomUUID(),
    store: store.engine,
    signals: store,
    run: traced(
      createRunner({
        store: store.engine,
        now: () => store.clock.now(),
        vault,
        encryptionKeys,
        bindCiphertexts: createCiphertextBinding(store, receiveCiphertexts),
        actions: catalog.actions,
        connectors: allConnectors(catalog, engine.ownInstitutions),
        openResources: callOpener(engine),
        resultViolations,
        linkPurpose: (provider, envScope) =>
          purposeOf(envScope, engine.addresses.origins(provider)),
        scopesOfSite: (provider, envScope) =>
          scopesOfSite(envScope, engine.addresses.origins(provider)),
        sandboxDelayMs: config.sandboxDelayMs,
        timers,
        log: logger,
      }),
    ),
    sweeper,
    slots: { real: config.workerSlots, sandbox: config.sandboxSlots },
    leaseMs: config.leaseSeconds * 1_000,
    shutdownMs: config.shutdownSeconds * 1_000,
    timers,
    log: logger,
  });
}

/** A team's own connector goes before ours. */
function allConnectors(
  catalog: Catalogue,
  own: readonly InstitutionModule[],
): ReadonlyMap<string, Connector> {
  const connectors = builtInConnectors(catalog.actions.values());
  for (const module of own) {
    for (const [id, connector] of Object.entries(module.connectors)) {
      connectors.set(id, withStraysCaught(connector));
    }
  }
  return connectors;
}

/** Opens credentials and the portal for one run. */
function callOpener({
  core,
  addresses,
  portalHttp,
  consentServers,
  ownInstitutions,
}: EngineDependencies): RunDependencies['openResources'] {
  const { store, vault } = core;
  const open = createResourceOpener({
    addresses,
    siteOf: (provider) => siteOf(ownInstitutions, provider),
    sessions: store.portalSessions,
    vault,
    now: () => store.clock.now(),
    http: portalHttp,
  });
  return async ({ job, envScope, rows, signal }) => {
    const { organizationId, provider } = job;
    const [link, account] = await Promise.all([
      rows.link &&
        openCallLink(
          vault,
          organizationId,
          rows.link,
          consentRenewal(
            { store, vault, consentServers },
            {
              organizationId,
              provider,
              accountLinkId: rows.link.id,
              purpose: rows.link.purpose ?? defaultPurpose(addresses.origins(provider)),
            },
          ),
        ),
      rows.account && openCallAccount(vault, organizationId, rows.account),
    ]);
    return open({ organizationId, provider, envScope, signal, link, account });
  };
}
