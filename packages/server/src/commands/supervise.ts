import type { RunningServer } from '../composition/server.ts';
import { takeStray } from '../engine/stray-rejections.ts';
import { faultOf } from '../failures/fault.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const CODES = { SIGTERM: 143, SIGINT: 130 } as const;
const FAILED = 1;
const STRAY =
  'a promise was rejected during a connector, which did not await it: add the await, or report the fault';

/**
 * Ends the process together with its server: after work in progress at the first signal, at once at the second,
 * and with one log line when the database is permanently lost or an error was not handled. A stray rejection of a
 * team's own connector only fails its run. Its message may hold a password: the line has the fault, never the message.
 */
export function supervise({
  close,
  core,
  logger,
}: Pick<RunningServer, 'close' | 'core' | 'logger'>): void {
  const fail = (message: string) => (error: unknown) => {
    logger.fatal({ fault: faultOf(error) }, message);
    process.exit(FAILED);
  };
  let closing = false;
  const stop = (signal: (typeof SIGNALS)[number]) => {
    if (closing) process.exit(CODES[signal]);
    closing = true;
    close().then(() => {
      logger.info({ signal }, 'stopped');
      process.exit(0);
    }, fail('stopping before everything was closed: the next start takes up what was left'));
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const failUnexpectedly = fail(
    'stopping after an unexpected error: restart, and report the fault',
  );
  process.on('uncaughtException', failUnexpectedly);
  process.on('unhandledRejection', (reason) => {
    const action = takeStray(reason);
    if (action === null) failUnexpectedly(reason);
    else logger.error({ action, fault: faultOf(reason) }, STRAY);
  });
  core.store.onFatal(fail('stopping because the database was lost: check it, then restart'));
}
