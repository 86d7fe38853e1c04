import { Command } from 'commander';

interface Options {
  readonly simulators?: true;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Start the server; CHANGGU_… environment variables configure it')
    .option('--simulators', 'serve real_test from simulated institutions; never in production')
    .action(run);
}

async function run({ simulators }: Options): Promise<void> {
  const { restAfterStart, startSparingly } = await import('./rest.ts');
  startSparingly();
  const [{ readConfig }, { forgetSecrets }, { supervise }] = await Promise.all([
    import('../config/server-config.ts'),
    import('../config/forget-secrets.ts'),
    import('./supervise.ts'),
  ]);
  const config = await readConfig('serve', process.env);
  forgetSecrets(process.env);
  const server = simulators
    ? await (await import('../dev/serve-simulated.ts')).serveSimulated(config)
    : await (await import('../composition/start-serve.ts')).startServe(config);
  supervise(server);
  restAfterStart(server);
  server.logger.info({ url: server.url }, 'ready');
}
