import { run } from 'graphile-worker';

// The queue that Changgu is compared with: 32 jobs at a time that do nothing.
const runner = await run({
  connectionString: process.env.BENCH_POSTGRES_URL ?? '',
  concurrency: 32,
  maxPoolSize: 33,
  noHandleSignals: true,
  taskList: { run: async () => {} },
});
let completed = 0;
let told = 0;
runner.events.on('job:complete', () => {
  completed += 1;
});
setInterval(() => {
  if (completed > told) process.send?.(completed);
  told = completed;
}, 5).unref();
process.stdout.write('ready\n');
process.once('SIGTERM', () => {
  void runner.stop().then(() => process.exit(0));
});
