import { systemClock } from '../clock.ts';
import type { RunningServer } from '../composition/server.ts';
import { createDataDir } from '../config/data-dir.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { openCoreBeside } from '../core.ts';
import { closeOnFailure } from '../failures/close-on-failure.ts';
import { refuseBesideProduction, withSimulators } from './simulate-institutions.ts';

/**
 * `serve --simulators`: a server as in production whose real_test uses simulated institutions.
 * @throws ConfigError next to any production address, and whatever `startServer` throws
 */
export async function serveSimulated(config: ServerConfig): Promise<RunningServer> {
  refuseBesideProduction(config);
  await createDataDir(config);
  const [core, { startServer }] = await openCoreBeside(
    config,
    { clock: systemClock },
    () => import('../composition/server.ts'),
  );
  const server = await closeOnFailure(core.close, () =>
    withSimulators(core.store, (simulators) =>
      startServer(config, {
        core,
        simulated: simulators,
        consentClientOf: simulators.consentClientOf,
      }),
    ),
  );
  server.logger.warn({ control_url: server.controlUrl }, 'using simulated institutions');
  return server;
}
