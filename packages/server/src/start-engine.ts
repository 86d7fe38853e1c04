import { randomUUID } from 'node:crypto';
import type { Catalogue } from '@changgu/contract/catalogue';
import type { ServerConfig } from './config.ts';
import { createRunner } from './engine/run.ts';
import type { Sweeper } from './engine/sweeper.ts';
import { realTimers } from './engine/timers.ts';
import { startWorker, type Worker } from './engine/worker.ts';
import type { InstitutionAddresses } from './institutions/addresses.ts';
import type { Logger } from './logging/logger.ts';
import type { Parts } from './parts.ts';
import { ServiceError } from './service-error.ts';

export interface EngineParts {
  readonly config: ServerConfig;
  readonly parts: Parts;
  readonly catalogue: Catalogue;
  readonly addresses: InstitutionAddresses;
  readonly sweeper: Sweeper;
  readonly logger: Logger;
}

/** Starts the worker of this process: it claims jobs, runs their connectors and sweeps. */
export function startEngine(engine: EngineParts): Worker {
  const { config, parts, catalogue, sweeper, logger } = engine;
  const { store, vault, encryptionKeys } = parts;
  return startWorker({
    owner: randomUUID(),
    store: store.engine,
    signals: store,
    run: createRunner({
      store: store.engine,
      now: () => store.clock.now(),
      vault,
      encryptionKeys,
      actions: catalogue.actions,
      connectors: new Map(),
      openResources: async () => {
        throw new ServiceError('PROVIDER_NOT_CONFIGURED');
      },
      sandboxDelayMs: config.sandboxDelayMs,
      timers: realTimers,
      log: logger,
    }),
    sweeper,
    slots: { real: config.workerSlots, sandbox: config.sandboxSlots },
    leaseMs: config.leaseSeconds * 1_000,
    shutdownMs: config.shutdownSeconds * 1_000,
    timers: realTimers,
    log: logger,
  });
}
