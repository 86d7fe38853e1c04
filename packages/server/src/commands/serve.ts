import { Command } from 'commander';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve; configured by CHANGGU_… environment variables')
    .action(async () => {
      const [{ readConfig }, { startServer }, { closeOnSignal }] = await Promise.all([
        import('../config.ts'),
        import('../server.ts'),
        import('./close-on-signal.ts'),
      ]);
      const server = await startServer(await readConfig('serve', process.env));
      closeOnSignal(server.close);
      server.logger.info({ url: server.url }, 'ready');
    });
}
