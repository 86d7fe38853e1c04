import type { RunningServer } from '../server.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const CODES = { SIGTERM: 143, SIGINT: 130 } as const;
const FAILED = 1;

/**
 * Ends the process together with its server: after work in progress at the first signal, at once at the second,
 * and with one log line when the database is permanently lost or an error was not handled.
 */
export function supervise({
  close,
  core,
  logger,
}: Pick<RunningServer, 'close' | 'core' | 'logger'>): void {
  let closing = false;
  const stop = (signal: (typeof SIGNALS)[number]) => {
    if (closing) process.exit(CODES[signal]);
    closing = true;
    close().then(
      () => process.exit(0),
      (failure: unknown) => {
        process.stderr.write(`changgu-server: ${String(failure)}\n`);
        process.exit(FAILED);
      },
    );
  };
  const fail = (message: string) => (error: unknown) => {
    logger.fatal({ err: error }, message);
    process.exit(FAILED);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  process.on('uncaughtException', fail('stopping after an unexpected error'));
  core.store.onFatal(fail('stopping because the database was lost'));
}
