import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { loadCatalogue } from '@changgu/contract/catalogue';
import { systemClock } from '../../packages/server/src/clock.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { createRunner } from '../../packages/server/src/engine/run.ts';
import type { CallResources } from '../../packages/server/src/engine/run-parts.ts';
import { createSweeper } from '../../packages/server/src/engine/sweeper.ts';
import { realTimers } from '../../packages/server/src/engine/timers.ts';
import { startWorker } from '../../packages/server/src/engine/worker.ts';
import type { Connector } from '../../packages/server/src/institutions/connector.ts';
import { openParts } from '../../packages/server/src/parts.ts';

// The engine of a worker process as it is, with connectors that contact nobody: they take
// BENCH_RUN_MS, and each irreversible one writes what took effect into BENCH_EFFECTS.
const { BENCH_RUN_MS = '0', BENCH_EFFECTS } = process.env;
const config = await readConfig('dev', process.env, { port: 0 });
const parts = await openParts(config, { clock: systemClock });
const { actions } = await loadCatalogue();
const leaseMs = config.leaseSeconds * 1_000;
const log = { info: () => {}, warn: () => {}, error: console.error };

const connector: Connector = async (call) => {
  const runMs = Number(BENCH_RUN_MS);
  if (runMs > 0) await pause(runMs, undefined, { signal: call.signal });
  if (call.action.irreversible) {
    await call.pointOfNoReturn();
    if (BENCH_EFFECTS) appendFileSync(BENCH_EFFECTS, `${String(call.params.order)}\n`);
    if (runMs > 0) await pause(runMs, undefined, { signal: call.signal });
  }
  return { success: true };
};

const none: CallResources = {
  link: null,
  account: null,
  session: {
    load: async () => null,
    require: async () => ({}),
    save: async () => {},
    clear: async () => {},
  },
  openPortal: () => {
    throw new Error('these connectors contact nobody');
  },
};

const worker = startWorker({
  owner: randomUUID(),
  store: parts.store.engine,
  signals: parts.store,
  run: createRunner({
    store: parts.store.engine,
    now: () => parts.store.clock.now(),
    vault: parts.vault,
    encryptionKeys: parts.encryptionKeys,
    actions,
    connectors: new Map([...actions.keys()].map((id) => [id, connector])),
    openResources: async () => none,
    sandboxDelayMs: config.sandboxDelayMs,
    timers: realTimers,
    log,
  }),
  sweeper: createSweeper({
    store: parts.store.engine,
    breakers: parts.store.breakers,
    actions,
    leaseMs,
  }),
  slots: { real: config.workerSlots, sandbox: config.sandboxSlots },
  leaseMs,
  shutdownMs: config.shutdownSeconds * 1_000,
  timers: realTimers,
  log,
});
process.stdout.write('ready\n');
process.on('SIGTERM', async () => {
  await worker.stop();
  await parts.close();
  process.exit(0);
});
