import { systemClock } from '../../packages/server/src/clock.ts';
import { readConfig } from '../../packages/server/src/config/server-config.ts';
import { openCore } from '../../packages/server/src/core.ts';
import { startBenchWorker } from './bench-worker.ts';

// A worker process on the database of its environment; reports its claims to its parent.
const { BENCH_RUN_MS = '0', BENCH_EFFECTS } = process.env;
const config = await readConfig('dev', process.env);
const core = await openCore(config, { clock: systemClock });
const worker = await startBenchWorker(core, {
  runMs: Number(BENCH_RUN_MS),
  effects: BENCH_EFFECTS,
  leaseSeconds: config.leaseSeconds,
  onClaimed: (id) => process.send?.({ id, at: performance.timeOrigin + performance.now() }),
});
process.stdout.write('ready\n');
process.once('SIGTERM', () => {
  void worker
    .stop()
    .then(core.close)
    .then(() => process.exit(0));
});
