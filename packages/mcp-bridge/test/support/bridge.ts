import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestServer } from '../../../server/test/support/start-server.ts';
import type { Bridge } from '../../src/bridge.ts';
import { type BridgeOptions, createBridge } from '../../src/create-bridge.ts';
import type { Log } from '../../src/log.ts';
import { readSettings, type SettingValues } from '../../src/settings.ts';

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface TestBridgeOptions extends Partial<Omit<BridgeOptions, 'settings'>> {
  readonly envScope?: 'sandbox' | 'real_test';
  readonly values?: SettingValues;
}

/** A bridge of the demo client of a test server; files go to a directory of its own. */
export async function bridgeTo(
  server: Pick<TestServer, 'url' | 'client'>,
  { envScope = 'sandbox', values = {}, env = {}, ...options }: TestBridgeOptions = {},
): Promise<Bridge> {
  const filesDir = await mkdtemp(join(tmpdir(), 'changgu-bridge-'));
  const settings = readSettings(
    { 'files-dir': filesDir, ...values },
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
