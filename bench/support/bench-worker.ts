import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { loadCatalogue } from '@changgu/contract/catalogue';
import type { CoreDependencies } from '../../packages/server/src/core.ts';
import { createRunner } from '../../packages/server/src/engine/run.ts';
import { createSweeper } from '../../packages/server/src/engine/sweeper.ts';
import { startWorker, type Worker } from '../../packages/server/src/engine/worker/worker.ts';
import type { CallResources } from '../../packages/server/src/institutions/call-resources.ts';
import type { Connector } from '../../packages/server/src/institutions/connector.ts';
import { DAY_MS } from '../../packages/server/src/rules/durations.ts';
import { realTimers } from '../../packages/server/src/timers.ts';

export interface BenchWorkerOptions {
  /** How long a connector takes; an irreversible one takes as long again past its point of no return. */
  readonly runMs?: number;
  /** File to which each irreversible connector appends a line: what took effect. */
  readonly effects?: string | undefined;
  readonly leaseSeconds?: number;
  /** Notified of each job as soon as its claim has been committed. */
  readonly onClaimed?: (jobId: string) => void;
}

/** The real engine, with connectors that contact no one. */
export async function startBenchWorker(
  core: CoreDependencies,
  options: BenchWorkerOptions = {},
): Promise<Worker> {
  const { store } = core;
  const { actions } = await loadCatalogue();
  const leaseMs = (options.leaseSeconds ?? 30) * 1_000;
  const connector = connectorOf(options);
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error };
  return startWorker({
    owner: randomUUID(),
    store: {
      ...store.engine,
      async claim(input) {
        const claim = await store.engine.claim(input);
        for (const { id } of claim.jobs) options.onClaimed?.(id);
        return claim;
      },
    },
    signals: store,
    run: createRunner({
      store: store.engine,
      now: () => store.clock.now(),
      vault: core.vault,
      encryptionKeys: core.encryptionKeys,
      bindCiphertexts: async () => null,
      actions,
      connectors: new Map([...actions.keys()].map((id) => [id, connector])),
      openResources: async () => NONE,
      resultViolations: () => [],
      linkPurpose: () => null,
      scopesOfSite: (_, envScope) => [envScope],
      sandboxDelayMs: options.runMs ?? 0,
      timers: realTimers,
      log,
    }),
    sweeper: createSweeper({
      store: store.engine,
      breakers: store.breakers,
      actions,
      leaseMs,
      retentionMs: 30 * DAY_MS,
      eventRetentionMs: 30 * DAY_MS,
    }),
    slots: { real: 32, sandbox: 32 },
    leaseMs,
    shutdownMs: 25_000,
    timers: realTimers,
    log,
  });
}

function connectorOf({ runMs = 0, effects }: BenchWorkerOptions): Connector {
  return async (call) => {
    if (runMs > 0) await pause(runMs, undefined, { signal: call.signal });
    if (call.action.irreversible) {
      await call.pointOfNoReturn();
      if (effects) appendFileSync(effects, `${String(call.params.order)}\n`);
      if (runMs > 0) await pause(runMs, undefined, { signal: call.signal });
    }
    return { success: true };
  };
}

const NONE: CallResources = {
  link: null,
  account: null,
  session: {
    load: async () => null,
    require: async () => ({}),
    save: async () => {},
    clear: async () => {},
  },
  openPortal: () => {
    throw new Error('these connectors contact no one');
  },
};
