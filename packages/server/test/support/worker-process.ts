import type { RealTestServer } from './real-test-server.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export type WorkerProcess = Pick<ServerProcess, 'kill' | 'stop'>;

/** `changgu-server serve` with the role of a worker, on the database and portals of a test server. */
export function startWorkerProcess(
  { server, simulators }: Pick<RealTestServer, 'server' | 'simulators'>,
  env: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  const urls = Object.entries(simulators.urls).map(([provider, url]) => [
    `CHANGGU_REAL_TEST_URL_${provider.toUpperCase()}`,
    url,
  ]);
  return startServerProcess(server, {
    ...Object.fromEntries(urls),
    CHANGGU_ROLE: 'worker',
    CHANGGU_LEASE_SECONDS: '6',
    ...env,
  });
}
