import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../server/test/support/free-port.ts';
import {
  configOf,
  startIdentityProvider,
  type TestProvider,
} from '../../../server/test/support/outside-login/identity-provider.ts';
import { startProgram } from '../../../server/test/support/run-command.ts';
import { type DevServer, startDevServer } from './dev-server.ts';

export interface OutsideLogin {
  readonly server: DevServer;
  readonly provider: TestProvider;
  close(): Promise<void>;
}

/** A server with OAuth that trusts two identity providers: `acme` for addresses at acme.example, and one that is down. */
export async function startWithOutsideLogin(): Promise<OutsideLogin> {
  const folder = await mkdtemp(join(tmpdir(), 'changgu-provider-'));
  const port = await freePort();
  // Browsers give passkeys to names only.
  const url = `http://localhost:${port}`;
  const provider = await startIdentityProvider(() => url);
  const config = join(folder, 'changgu.toml');
  const down =
    '[identity_providers.down]\nlabel = "Down"\nissuer = "http://127.0.0.1:9"\nclient_id = "changgu"\n';
  await writeFile(config, configOf(provider) + down);
  const settings = {
    // One of the providers is down, and its failed request would be logged.
    CHANGGU_LOG_LEVEL: 'fatal',
    CHANGGU_CONFIG: config,
    CHANGGU_OAUTH: 'on',
    CHANGGU_PUBLIC_BASE_URL: url,
  };
  const server = { ...(await startDevServer(settings, port)), base_url: url };
  await allowDomain(server, config);
  return {
    server,
    provider,
    async close() {
      await server.close();
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** As the operator does it, beside the running server. */
async function allowDomain(server: DevServer, config: string): Promise<void> {
  const organization = String(server.organization_id);
  const what = ['--provider', 'acme', '--org', organization, '--domain', 'acme.example'];
  const args = ['identity-provider', 'allow', ...what, '--data-dir', server.dataDir];
  await startProgram(args, { CHANGGU_CONFIG: config });
}
