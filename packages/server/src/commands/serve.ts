import { Command } from 'commander';

interface Options {
  readonly simulators?: true;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve; configured by CHANGGU_… environment variables')
    .option('--simulators', 'with the simulated institutions, for real_test; never in production')
    .action(run);
}

async function run({ simulators }: Options): Promise<void> {
  const [{ readConfig }, { startServer }, { closeOnSignal }] = await Promise.all([
    import('../config/server-config.ts'),
    import('../server.ts'),
    import('./close-on-signal.ts'),
  ]);
  const config = await readConfig('serve', process.env);
  const server = simulators
    ? await (await import('../dev/serve-simulated.ts')).serveSimulated(config)
    : await startServer(config);
  closeOnSignal(server.close);
  server.logger.info({ url: server.url }, 'ready');
}
