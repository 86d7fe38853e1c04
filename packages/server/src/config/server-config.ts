import { type Environment, isLoopback, readEnvironment } from '@changgu/contract';
import type { PaymentAccount } from '../billing/payment-provider.ts';
import type { ConfiguredPlan } from '../rules/quota/plans.ts';
import { ConfigError } from './config-error.ts';
import { databaseFileIn } from './data-dir.ts';
import { DEFAULT_SETTINGS, type FileSettings } from './settings.ts';

type Variables = Environment<'server'>;

/** The whole configuration of a server, read once at its start. */
export interface ServerConfig
  extends Omit<
    Variables,
    | 'databaseUrl'
    | 'config'
    | 'realTestDailyTokens'
    | 'paymentUrl'
    | 'paymentClientKey'
    | 'paymentSecretKey'
  > {
  /** A command needs less than `serve`, and may open what `dev` has made. It has none of what only `dev` offers. */
  readonly mode: 'dev' | 'serve' | 'command';
  /** `sqlite:path` or `postgres://…`. */
  readonly databaseUrl: string;
  /** By plan code. */
  readonly plans: Readonly<Record<string, ConfiguredPlan>>;
  readonly settings: FileSettings['settings'];
  readonly consentClients: FileSettings['consentClients'];
  readonly identityProviders: FileSettings['identityProviders'];
  /** Null when no payment provider is configured. */
  readonly payment: PaymentAccount | null;
}

/** Command-line options, which take precedence over the environment. */
export interface ConfigOverrides {
  readonly port?: number;
  readonly dataDir?: string;
}

/** A low cap, so that its effect is visible with a few accounts. */
const DEV_BANK_PRODUCT_CAP = 3;

/**
 * Reads the environment and the file it names.
 * @throws ConfigError listing every mistake
 */
export async function readConfig(
  mode: ServerConfig['mode'],
  env: Readonly<Record<string, string | undefined>>,
  overrides: ConfigOverrides = {},
): Promise<ServerConfig> {
  const result = readEnvironment('server', env);
  if (!result.ok) throw new ConfigError(result.errors.map(({ en }) => en));
  const {
    databaseUrl,
    config: file,
    realTestDailyTokens,
    paymentUrl,
    paymentClientKey,
    paymentSecretKey,
    ...values
  } = result.values;
  const payment = { url: paymentUrl, clientKey: paymentClientKey, secretKey: paymentSecretKey };
  const missing = [
    ...(mode === 'serve' ? missingInServe(result.values) : []),
    ...unverifiedDatabase(databaseUrl, env.PGHOST),
    ...missingOfPayment(payment),
  ];
  if (missing.length > 0) throw new ConfigError(missing);
  const { plans, settings, ...fromFile } =
    file === undefined ? DEFAULT_SETTINGS : await readFile(file);
  const dataDir = overrides.dataDir ?? values.dataDir;
  return {
    ...values,
    mode,
    dataDir,
    listen: { ...values.listen, ...(overrides.port === undefined ? {} : { port: overrides.port }) },
    databaseUrl: databaseUrlText(databaseUrl, dataDir),
    console: mode === 'dev' && !result.given.has('console') ? 'on' : values.console,
    bankProductCap:
      mode === 'dev' && !result.given.has('bankProductCap')
        ? DEV_BANK_PRODUCT_CAP
        : values.bankProductCap,
    plans:
      realTestDailyTokens === undefined ? plans : withRealTestTokens(plans, realTestDailyTokens),
    settings,
    ...fromFile,
    payment: isAccount(payment) ? payment : null,
  };
}

function missingInServe(values: Variables): string[] {
  const { publicBaseUrl, masterKey, masterKeyFile, masterKeyCommand } = values;
  return [
    ...(publicBaseUrl === undefined
      ? ['CHANGGU_PUBLIC_BASE_URL is required: the address of this server as its callers see it']
      : []),
    ...([masterKey, masterKeyFile, masterKeyCommand].every((source) => source === undefined)
      ? [
          'CHANGGU_MASTER_KEY, CHANGGU_MASTER_KEY_FILE or CHANGGU_MASTER_KEY_COMMAND is required: 32 bytes in base64',
        ]
      : []),
  ];
}

/**
 * All of the service's data passes through this connection, so only an explicit setting leaves it unverified.
 * @param fallbackHost the host that the driver takes when the address names none
 */
function unverifiedDatabase(database: Variables['databaseUrl'], fallbackHost = ''): string[] {
  if (database?.dialect !== 'postgres' || !URL.canParse(database.url)) return [];
  const { hostname, searchParams } = new URL(database.url);
  const host = searchParams.get('host') || hostname || fallbackHost;
  const isLocal = host === '' || host.startsWith('/') || host === '::1' || isLoopback(host);
  const mode = searchParams.get('sslmode') ?? '';
  if (isLocal || ['verify-full', 'disable'].includes(mode)) return [];
  return [
    'CHANGGU_DATABASE_URL: add sslmode=verify-full (and sslrootcert=… for your own CA), so that the server at the other end is verified; sslmode=disable is for a network that no one else can reach',
  ];
}

type PaymentSettings = { readonly [Name in keyof PaymentAccount]: string | undefined };

function isAccount(settings: PaymentSettings): settings is PaymentAccount {
  return Object.values(settings).every((value) => value !== undefined);
}

/** All three settings or none of them. */
function missingOfPayment(settings: PaymentSettings): string[] {
  const { url, clientKey, secretKey } = settings;
  const absent = Object.entries({ URL: url, CLIENT_KEY: clientKey, SECRET_KEY: secretKey })
    .filter(([, value]) => value === undefined)
    .map(
      ([name]) => `CHANGGU_PAYMENT_${name} is required beside the other CHANGGU_PAYMENT_ settings`,
    );
  return absent.length === 3 ? [] : absent;
}

async function readFile(path: string): Promise<FileSettings> {
  // Loaded only when there is a file, because the TOML parser and the validator are large.
  const { readConfigFile } = await import('./config-file.ts');
  return readConfigFile(path);
}

function databaseUrlText(url: Variables['databaseUrl'], dataDir: string): string {
  if (url === undefined) return `sqlite:${databaseFileIn(dataDir)}`;
  return url.dialect === 'sqlite' ? `sqlite:${url.path}` : url.url;
}

function withRealTestTokens(plans: ServerConfig['plans'], daily: number): ServerConfig['plans'] {
  return Object.fromEntries(
    Object.entries(plans).map(([code, plan]) => [
      code,
      { ...plan, real_test: { ...plan.real_test, daily } },
    ]),
  );
}
