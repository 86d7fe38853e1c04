import { terminalLanguage } from '@changgu/contract/language';
import { Command, InvalidArgumentError } from 'commander';

interface Options {
  readonly port?: number;
  readonly dataDir?: string;
  readonly json?: true;
  readonly simulators: boolean;
  readonly fresh?: true;
}

export function devCommand(): Command {
  return new Command('dev')
    .description(
      'Start a development server with embedded database, demo organization and simulated institutions',
    )
    .option('--port <port>', 'port to listen on; 0 lets the system choose (default: 4010)', port)
    .option('--data-dir <dir>', 'directory of the database and demo.json (default: .changgu)')
    .option('--json', 'print one line of JSON when ready')
    .option('--no-simulators', 'do not start the simulated institutions')
    .option('--fresh', 'delete the data of earlier runs first')
    .action(run);
}

function port(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('expected a port from 0 to 65535');
}

async function run(options: Options): Promise<void> {
  const { restAfterStart, startSparingly } = await import('./rest.ts');
  startSparingly();
  const [
    { readConfig },
    { forgetSecrets },
    { startDev },
    { createLogger },
    { supervise },
    { welcome, readyLine },
  ] = await Promise.all([
    import('../config/server-config.ts'),
    import('../config/forget-secrets.ts'),
    import('../dev/start-dev.ts'),
    import('../logging/logger.ts'),
    import('./supervise.ts'),
    import('../dev/welcome.ts'),
  ]);
  const config = await readConfig('dev', process.env, {
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  });
  forgetSecrets(process.env);
  // People read the welcome, so the log shows them only problems unless they ask for more.
  const level = process.env.CHANGGU_LOG_LEVEL ? config.logLevel : 'warn';
  const server = await startDev(config, {
    simulators: options.simulators,
    fresh: options.fresh ?? false,
    logger: createLogger(level, process.stderr),
  });
  supervise(server);
  restAfterStart(server);
  process.stdout.write(
    options.json
      ? readyLine(server.demo, config.dataDir)
      : welcome(server, config.dataDir, terminalLanguage(process.env)),
  );
}
