import { Changgu, type ClientOptions, type Clock } from '@changgu/sdk';
import { loadCatalogue } from '@changgu/sdk/catalogue';
import type { Bridge } from './bridge.ts';
import { systemClock } from './clock.ts';
import { jsonLog, type Log } from './log.ts';
import { readOffering } from './offering.ts';
import { savedFiles } from './results/saved-files.ts';
import { Confirmations } from './run/confirmations.ts';
import { keyRightsOf } from './run/key-rights.ts';
import { SubmissionKeys } from './run/submission-keys.ts';
import { loadSecretReferences } from './secret-references.ts';
import { jobNewsOf } from './server/job-news.ts';
import { passTraceOn } from './server/trace-context.ts';
import type { Settings } from './settings.ts';

export interface BridgeOptions {
  readonly settings: Settings;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Overrides what the SDK would read from CHANGGU_* variables. */
  readonly client?: ClientOptions | undefined;
  readonly log?: Log | undefined;
  readonly clock?: Clock | undefined;
}

/** For one request. A tool makes at most three in sequence, and hosts give up at 60 seconds. */
const PATIENCE = { attemptTimeoutMs: 8_000, totalTimeoutMs: 15_000 } as const;

/** @throws SettingError, and ConfigurationError of the SDK, for invalid settings */
export async function createBridge(options: BridgeOptions): Promise<Bridge> {
  const { settings, env = {}, clock = systemClock } = options;
  const now = () => clock.now();
  const log = options.log ?? jsonLog((line) => void process.stderr.write(line));
  const middleware = [...(options.client?.middleware ?? []), passTraceOn];
  const client = new Changgu({ ...PATIENCE, ...options.client, middleware });
  const { institutions: builtIn } = await loadCatalogue();
  // Before what waits for the service.
  const secrets = await loadSecretReferences(settings.secretsFile, env);
  return {
    settings,
    client,
    origin: options.client?.baseUrl ?? env.CHANGGU_BASE_URL,
    offering: await readOffering({ client, clock, log, settings, builtIn }),
    sees: () => true,
    mayReadLinks: true,
    keys: new SubmissionKeys(principalOf(options), now),
    rights: keyRightsOf(client, clock),
    confirmations: new Confirmations(now),
    secrets,
    files: savedFiles(client, settings),
    news: jobNewsOf(client, log),
    log,
    clock,
  };
}

/** Callers never share keys: two hosts on one machine may use different clients. */
function principalOf({ settings, env = {}, client = {} }: BridgeOptions): string {
  const id = client.clientId ?? env.CHANGGU_CLIENT_ID ?? '';
  return JSON.stringify([client.baseUrl ?? env.CHANGGU_BASE_URL ?? '', settings.envScope, id]);
}
