import { join } from 'node:path';
import type { TestServer } from '../../../server/test/support/start-server.ts';
import type { Bridge } from '../../src/bridge.ts';
import { type BridgeOptions, createBridge } from '../../src/create-bridge.ts';
import { readSettings, type SettingValues } from '../../src/settings.ts';
import { SILENT } from './silent-log.ts';

export interface TestBridgeOptions extends Partial<Omit<BridgeOptions, 'settings'>> {
  readonly envScope?: 'sandbox' | 'real_test';
  readonly values?: SettingValues;
}

/** A bridge of the demo client of a test server; files go into its data directory, which goes with it. */
export async function bridgeTo(
  server: Pick<TestServer, 'url' | 'client' | 'dataDir'>,
  { envScope = 'sandbox', values = {}, env = {}, ...options }: TestBridgeOptions = {},
): Promise<Bridge> {
  const settings = readSettings(
    { 'files-dir': join(server.dataDir, 'files'), ...values },
    { ...env, CHANGGU_ENV_SCOPE: envScope },
  );
  return createBridge({
    settings,
    env,
    log: SILENT,
    client: {
      baseUrl: server.url,
      clientId: server.client.client_id,
      clientSecret: server.client.client_secret,
      envScope,
    },
    ...options,
  });
}
