import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { systemClock } from '../clock.ts';
import type { RunningServer, startServer as StartServer } from '../composition/server.ts';
import { ConfigError } from '../config/config-error.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { type CoreDependencies, openCoreBeside } from '../core.ts';
import { closeOnFailure } from '../failures/close-on-failure.ts';
import type { Logger } from '../logging/logger.ts';
import { type Demo, readDemo, writeDemo } from './demo-file.ts';
import {
  createDemoOrganization,
  type DemoAccess,
  demoAdminToken,
  demoWorks,
} from './demo-organization.ts';
import { forgetEverything } from './forget-everything.ts';
import type { LazySimulators } from './lazy-simulators.ts';
import { isLoopbackUrl, refuseForeign } from './loopback-only.ts';
import { withSimulators } from './simulate-institutions.ts';

export interface DevOptions {
  readonly simulators: boolean;
  /** Deletes everything in the data directory first. */
  readonly fresh: boolean;
  readonly logger?: Logger;
}

export interface DevServer extends Pick<RunningServer, 'url' | 'close' | 'core' | 'logger'> {
  readonly demo: Demo;
  /** Signs the demo owner in the first time it is opened; null without a console. */
  readonly consoleUrl: string | null;
}

/** With the control address of its simulators, if any. */
type Serving = RunningServer & { readonly controlUrl?: string };

/** A complete Changgu on this machine: embedded database, demo organization, simulated institutions. */
export async function startDev(config: ServerConfig, options: DevOptions): Promise<DevServer> {
  const { host } = config.listen;
  if (!isLoopbackUrl(`http://${host.includes(':') ? `[${host}]` : host}`)) {
    throw new ConfigError([
      `dev listens on loopback only, not on ${host}; use "changgu-server serve" for other addresses`,
    ]);
  }
  if (options.fresh) await forgetEverything(config);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const [core, { startServer }] = await openCoreBeside(
    config,
    { clock: systemClock, createDevKey: true },
    () => import('../composition/server.ts'),
  );
  return closeOnFailure(core.close, () => startOn(core, startServer, config, options));
}

async function startOn(
  core: CoreDependencies,
  startServer: typeof StartServer,
  config: ServerConfig,
  options: DevOptions,
): Promise<DevServer> {
  const known = await readDemo(config.dataDir);
  const access =
    known && (await demoWorks(core, known))
      ? known
      : await createDemoOrganization(core, { links: true });
  const consoleToken = randomBytes(32).toString('base64url');
  const serve = (simulators: LazySimulators | null) =>
    startServer(config, {
      core,
      refuse: ({ headers }) => refuseForeign(headers),
      demoKey: access.client,
      signInOnce: { token: consoleToken, ...access.console },
      ...(simulators
        ? {
            simulated: simulators,
            simulatorControl: simulators.control,
            consentClientOf: simulators.consentClientOf,
            simulatedPayment: simulators.payment,
          }
        : {}),
      ...(options.logger ? { logger: options.logger } : {}),
    });
  const server: Serving = options.simulators
    ? await withSimulators(core.store, serve)
    : await serve(null);
  const demo = await closeOnFailure(server.close, () => saveDemo(config, server, access));
  return {
    url: server.url,
    consoleUrl: config.console === 'on' ? `${server.url}/console#once=${consoleToken}` : null,
    core,
    demo,
    logger: server.logger,
    close: server.close,
  };
}

async function saveDemo(
  { dataDir }: ServerConfig,
  { core, url, controlUrl }: Serving,
  access: DemoAccess,
): Promise<Demo> {
  const demo: Demo = {
    base_url: url,
    organization_id: access.organization_id,
    client: access.client,
    console: access.console,
    admin: { token: await demoAdminToken(core) },
    legacy_api_key: access.legacy_api_key,
    account_links: access.account_links,
    bank_accounts: access.bank_accounts,
    simulators: controlUrl === undefined ? null : { control_url: controlUrl },
  };
  await writeDemo(dataDir, demo);
  return demo;
}
