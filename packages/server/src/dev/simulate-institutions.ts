import type { RunningServer } from '../composition/server.ts';
import { ConfigError } from '../config/config-error.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { closeOnFailure } from '../failures/close-on-failure.ts';
import type { Store } from '../store/database.ts';
import { businessClock } from './business-clock.ts';
import { type LazySimulators, lazySimulators } from './lazy-simulators.ts';

/**
 * Starts a server together with the simulated institutions. They use the business time of its store and
 * stop with it, also when it fails to start.
 */
export async function withSimulators<S extends Pick<RunningServer, 'close'>>(
  store: Pick<Store, 'clock' | 'onSignal'>,
  start: (simulators: LazySimulators) => Promise<S>,
): Promise<S & { readonly controlUrl: string }> {
  const clock = await businessClock(store);
  const unlisten = store.onSignal(({ kind }) => {
    if (kind === 'changed') void clock.refresh().catch(() => {});
  });
  const simulators = await lazySimulators(clock.now);
  async function end(): Promise<void> {
    unlisten();
    await simulators.close();
  }
  const server = await closeOnFailure(end, () => start(simulators));
  return {
    ...server,
    controlUrl: simulators.controlUrl,
    async close() {
      await server.close();
      await end();
    },
  };
}

/**
 * Simulated institutions never run on a server that calls real ones in production.
 * @throws ConfigError
 */
export function refuseBesideProduction({
  productionUrls,
}: Pick<ServerConfig, 'productionUrls'>): void {
  const names = Object.keys(productionUrls).map(
    (provider) => `CHANGGU_PRODUCTION_URL_${provider.toUpperCase()}`,
  );
  if (names.length === 0) return;
  throw new ConfigError([`--simulators cannot be combined with ${names.join(', ')}`]);
}
