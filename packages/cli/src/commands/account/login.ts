import { resolve } from 'node:path';
import { AuthenticationError, type Changgu, type EnvScope } from '@changgu/sdk';
import type { Cli, WritingCli } from '../../cli.ts';
import { CliError, usageError } from '../../cli-error.ts';
import { createClient } from '../../client.ts';
import { writes } from '../../command.ts';
import { readIfThere } from '../../config/private-file.ts';
import { checkProfileName } from '../../config/profile.ts';
import type { Sourced } from '../../config/settings.ts';
import type { StoredSecrets } from '../../credentials/secret-store.ts';
import { EXIT } from '../../exit-codes.ts';
import { askSecret, askText } from '../../input/prompt.ts';
import { InputReader, withoutLastLineBreak } from '../../input/read-input.ts';
import { saveLogin } from './save-login.ts';

export interface LoginOptions {
  readonly clientId?: string | undefined;
  readonly secretStdin?: true | undefined;
  readonly email?: string | undefined;
  readonly passwordStdin?: true | undefined;
  readonly factorCode?: string | undefined;
  readonly tokenStdin?: true | undefined;
  /** demo.json of a dev server; true for the default path. */
  readonly demo?: string | true | undefined;
  readonly web?: true | undefined;
  readonly device?: true | undefined;
}

/** The credentials of a login, verified by the service. */
interface Login {
  readonly baseUrl: string;
  readonly clientId?: string;
  readonly email?: string;
  readonly secrets: Omit<StoredSecrets, 'base_url'>;
}

/** Logs in with a client key, at the console, in the browser, or with a token; verifies it; and stores it in a profile. */
export const login = writes<[options: LoginOptions]>('nothing', async (cli, options) => {
  const settings = await cli.settingsOfAnyProfile();
  const { profile: current, envScope } = settings;
  const name = options.demo && current.source !== 'flag' ? 'demo' : current.value;
  const profile = checkProfileName(name, cli.texts);
  const made = options.demo ? await fromDemo(cli, options.demo) : await fromOptions(cli, options);
  const where = await saveLogin(cli, profile, {
    ...made,
    envScope: isOfRun(envScope) ? envScope.value : undefined,
  });
  await cli.notes.info(cli.texts.login.done(profile, where));
  return undefined;
});

/** Chosen for this run. What a project or a profile says is about their own runs. */
function isOfRun({ source }: Sourced<unknown>): boolean {
  return source === 'flag' || source === 'environment';
}

async function fromOptions(cli: WritingCli, options: LoginOptions): Promise<Login> {
  const { texts } = cli;
  const settings = await cli.settingsOfAnyProfile();
  const reader = new InputReader(cli.io, texts);
  const baseUrl =
    settings.baseUrl?.value ?? (await askText(cli, texts.login.askBaseUrl, '--base-url'));
  const stdin = async (option: string) => {
    const secret = withoutLastLineBreak(await reader.text('-', option));
    if (secret === '') throw usageError(texts.input.emptyValue(option));
    return secret;
  };
  const { email } = options;
  if (options.web || options.device) {
    // Refuses an address to which tokens must not be sent.
    await clientOf(cli, baseUrl, {}).close();
    const { webLogin } = await import('./web-login.ts');
    const device = options.device ?? false;
    const secrets = await cli.change({ writes: cli.locations.configFile }, () =>
      webLogin(cli, baseUrl, { device }),
    );
    return { baseUrl, secrets };
  }
  if (options.tokenStdin) {
    const token = await stdin('--token-stdin');
    await prove(cli, clientOf(cli, baseUrl, { token }));
    return { baseUrl, secrets: { console_token: token } };
  }
  if (email !== undefined) {
    await cli.notes.info(texts.login.loggingIn(baseUrl, email));
    const password = options.passwordStdin
      ? await stdin('--password-stdin')
      : await askSecret(cli, texts.login.askPassword(email), '--password-stdin');
    const person = { email, password, factorCode: options.factorCode };
    return { baseUrl, email, secrets: await consoleToken(cli, baseUrl, person) };
  }
  const clientId =
    options.clientId ??
    settings.clientId?.value ??
    (await askText(cli, texts.login.askClientId, '--client-id'));
  await cli.notes.info(texts.login.loggingIn(baseUrl, clientId));
  const clientSecret = options.secretStdin
    ? await stdin('--secret-stdin')
    : await askSecret(cli, texts.login.askClientSecret, '--secret-stdin');
  // A key may be valid for one environment only, so it is tried in the configured one.
  await prove(cli, clientOf(cli, baseUrl, { clientId, clientSecret }, settings.envScope.value));
  return { baseUrl, clientId, secrets: { client_secret: clientSecret } };
}

/** Stores nothing that the service rejects. Its advice to log in would not help during a login. */
async function prove(cli: Cli, client: Changgu): Promise<void> {
  await refusedAs(cli, client.membership.me(cli.call));
}

async function refusedAs<T>({ texts }: Cli, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new CliError(error.code, texts.login.refused, EXIT.forbidden, [texts.login.checkBoth]);
  }
}

interface DemoFile {
  readonly base_url: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly console: { readonly email: string; readonly password: string };
}

/** The demo organization of a dev server: its key and its console user together. */
async function fromDemo(cli: Cli, given: string | true): Promise<Login> {
  const file = resolve(cli.io.cwd, given === true ? '.changgu/demo.json' : given);
  const text = await readIfThere(file);
  if (text === null) throw usageError(cli.texts.login.noDemo(file), 'changgu sandbox start');
  const demo = parseDemo(text);
  if (!demo) throw usageError(cli.texts.login.notDemo(file), 'changgu sandbox start');
  const { base_url: baseUrl, client, console: person } = demo;
  const token = await consoleToken(cli, baseUrl, person);
  return {
    baseUrl,
    clientId: client.client_id,
    email: person.email,
    secrets: { client_secret: client.client_secret, ...token },
  };
}

function parseDemo(text: string): DemoFile | null {
  try {
    const value: unknown = JSON.parse(text);
    return isDemo(value) ? value : null;
  } catch {
    return null;
  }
}

function isDemo(value: unknown): value is DemoFile {
  const demo: { [Name in keyof DemoFile]?: unknown } = Object(value);
  const client: { [Name in keyof DemoFile['client']]?: unknown } = Object(demo.client);
  const person: { [Name in keyof DemoFile['console']]?: unknown } = Object(demo.console);
  return [
    demo.base_url,
    client.client_id,
    client.client_secret,
    person.email,
    person.password,
  ].every((text) => typeof text === 'string');
}

interface ConsolePerson {
  readonly email: string;
  readonly password: string;
  readonly factorCode?: string | undefined;
}

async function consoleToken(cli: Cli, baseUrl: string, person: ConsolePerson) {
  const { accessToken, expiresIn } = await refusedAs(cli, logInWithFactor(cli, baseUrl, person));
  return {
    console_token: accessToken,
    console_token_expires_at: new Date(cli.now() + expiresIn * 1000).toISOString(),
  };
}

/** Asks for the code only when the service requires it, because most people have no second factor. */
async function logInWithFactor(
  cli: Cli,
  baseUrl: string,
  { email, password, factorCode }: ConsolePerson,
) {
  const { account } = clientOf(cli, baseUrl, {});
  const logIn = (code?: string) =>
    account.login({ email, password, ...(code ? { factorCode: code } : {}) }, cli.call);
  try {
    return await logIn(factorCode);
  } catch (error) {
    const isAsked = error instanceof AuthenticationError && error.code === 'AUTH_FACTOR_REQUIRED';
    if (!isAsked || factorCode !== undefined) throw error;
    return logIn(await askSecret(cli, cli.texts.login.askFactorCode, '--factor-code'));
  }
}

function clientOf(
  cli: Cli,
  baseUrl: string,
  given: { clientId?: string; clientSecret?: string; token?: string },
  envScope: EnvScope = 'sandbox',
): Changgu {
  const { clientId, clientSecret, token } = given;
  return createClient(cli, baseUrl, envScope, { clientId, clientSecret, token, source: 'flag' });
}
