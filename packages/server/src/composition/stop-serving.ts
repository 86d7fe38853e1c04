import type { ServerConfig } from '../config/server-config.ts';
import type { Worker } from '../engine/worker/worker.ts';
import { separately } from '../failures/separately.ts';
import type { HttpApp } from '../http/app.ts';
import { closeInTime } from '../http/connections/close-in-time.ts';

/** What there is once the server listens. */
export interface Running {
  url: string | null;
  worker: Worker | null;
  stopMaintenance: (() => Promise<unknown>) | null;
}

interface Open {
  readonly app: HttpApp;
  readonly draining: AbortController;
  readonly outside: { close(): Promise<unknown> };
  readonly host: { close(): Promise<unknown> } | undefined;
  readonly stopWaiting: () => void;
}

/** Closes all but the database, within its time, whatever fails on the way. */
export function stopServing(
  { shutdownSeconds }: Pick<ServerConfig, 'shutdownSeconds'>,
  { app, draining, outside, host, stopWaiting }: Open,
  { worker, stopMaintenance }: Omit<Running, 'url'>,
): Promise<void> {
  return separately(async (doPart) => {
    const stopBy = performance.now() + shutdownSeconds * 1_000;
    draining.abort();
    // Jobs under way can still be polled; /health/ready already sends new callers elsewhere.
    await Promise.all([
      doPart('worker', async () => worker?.stop()),
      doPart('maintenance', async () => stopMaintenance?.()),
    ]);
    await doPart('HTTP', () => closeInTime(app.fastify, stopBy - performance.now()));
    await Promise.all([
      doPart('connections to others', () => outside.close()),
      doPart('OAuth', async () => host?.close()),
    ]);
    stopWaiting();
  });
}
