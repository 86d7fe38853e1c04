import { systemClock } from '../clock.ts';
import { createDataDir } from '../config/data-dir.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { openCoreBeside } from '../core.ts';
import type { RunningServer } from './server.ts';

/** A server as in production. @throws what `startServer` throws */
export async function startServe(config: ServerConfig): Promise<RunningServer> {
  await createDataDir(config);
  const [core, { startServer }] = await openCoreBeside(
    config,
    { clock: systemClock },
    () => import('./server.ts'),
  );
  return startServer(config, { core });
}
