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
      'Serve on this machine: embedded database, demo organization, simulated institutions',
    )
    .option('--port <port>', 'port to listen on; 0 lets the system choose (default: 4010)', port)
    .option('--data-dir <dir>', 'where the database and demo.json are kept (default: .changgu)')
    .option('--json', 'print one line of JSON when ready')
    .option('--no-simulators', 'without the simulated institutions')
    .option('--fresh', 'forget everything in the data directory first')
    .action(run);
}

function port(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('a port is a number from 0 to 65535');
}

async function run(options: Options): Promise<void> {
  const [{ readConfig }, { startDev }, { createLogger }, { supervise }, { welcome, readyLine }] =
    await Promise.all([
      import('../config/server-config.ts'),
      import('../dev/start-dev.ts'),
      import('../logging/logger.ts'),
      import('./supervise.ts'),
      import('../dev/welcome.ts'),
    ]);
  const config = await readConfig('dev', process.env, {
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  });
  // People read the welcome; they see of the log what goes wrong, unless they ask for more.
  const level = process.env.CHANGGU_LOG_LEVEL ? config.logLevel : 'warn';
  const server = await startDev(config, {
    simulators: options.simulators,
    fresh: options.fresh ?? false,
    logger: createLogger(level, process.stderr),
  });
  supervise(server);
  process.stdout.write(
    options.json ? readyLine(server.demo, config.dataDir) : welcome(server.demo, config.dataDir),
  );
}
