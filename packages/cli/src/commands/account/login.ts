import { resolve } from 'node:path';
import type { Changgu } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { createClient } from '../../client.ts';
import { readIfThere } from '../../config/private-file.ts';
import { checkProfileName } from '../../config/profile.ts';
import type { StoredSecrets } from '../../credentials/secret-store.ts';
import { askSecret, askText } from '../../input/prompt.ts';
import { InputReader, withoutLastLineBreak } from '../../input/read-input.ts';
import { saveLogin } from './save-login.ts';

export interface LoginOptions {
  readonly clientId?: string | undefined;
  readonly secretStdin?: true | undefined;
  readonly email?: string | undefined;
  readonly passwordStdin?: true | undefined;
  readonly tokenStdin?: true | undefined;
  /** demo.json of a dev server; true for the default place. */
  readonly demo?: string | true | undefined;
}

/** What a login brings, proved by the service. */
interface Login {
  readonly baseUrl: string;
  readonly clientId?: string;
  readonly email?: string;
  readonly secrets: Omit<StoredSecrets, 'base_url'>;
}

/** Logs in with a client key, at the console, or with a token; proves it; and keeps it in a profile. */
export async function login(cli: Cli, options: LoginOptions): Promise<undefined> {
  const settings = await cli.settings();
  const profile = checkProfileName(
    cli.globals.profile ?? (options.demo ? 'demo' : settings.profile.value),
    cli.texts,
  );
  const made = options.demo ? await fromDemo(cli, options.demo) : await fromOptions(cli, options);
  const where = await saveLogin(cli, profile, {
    ...made,
    envScope: settings.envScope.source === 'default' ? undefined : settings.envScope.value,
  });
  await cli.notes.info(cli.texts.login.done(profile, where));
}

async function fromOptions(cli: Cli, options: LoginOptions): Promise<Login> {
  const { texts } = cli;
  const settings = await cli.settings();
  const reader = new InputReader(cli.io, texts);
  const baseUrl =
    settings.baseUrl?.value ?? (await askText(cli, texts.login.askBaseUrl, '--base-url'));
  const stdin = async (option: string) => withoutLastLineBreak(await reader.text('-', option));

  if (options.tokenStdin) {
    const token = await stdin('--token-stdin');
    await clientOf(cli, baseUrl, { token }).membership.me(cli.call);
    return { baseUrl, secrets: { console_token: token } };
  }
  if (options.email !== undefined) {
    const { email } = options;
    const password = options.passwordStdin
      ? await stdin('--password-stdin')
      : await askSecret(cli, texts.login.askPassword(email), '--password-stdin');
    return { baseUrl, email, secrets: await consoleToken(cli, baseUrl, email, password) };
  }
  const clientId =
    options.clientId ??
    settings.clientId?.value ??
    (await askText(cli, texts.login.askClientId, '--client-id'));
  const clientSecret = options.secretStdin
    ? await stdin('--secret-stdin')
    : await askSecret(cli, texts.login.askClientSecret, '--secret-stdin');
  await clientOf(cli, baseUrl, { clientId, clientSecret }).membership.me(cli.call);
  return { baseUrl, clientId, secrets: { client_secret: clientSecret } };
}

interface DemoFile {
  readonly base_url: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly console: { readonly email: string; readonly password: string };
}

/** The demo organization of a dev server: its key and its console user at once. */
async function fromDemo(cli: Cli, given: string | true): Promise<Login> {
  const file = resolve(cli.io.cwd, given === true ? '.changgu/demo.json' : given);
  const demo = parseDemo(await readIfThere(file));
  if (!demo) throw usageError(cli.texts.login.demoUnreadable(file), 'changgu sandbox start');
  const { base_url: baseUrl, client, console: person } = demo;
  const token = await consoleToken(cli, baseUrl, person.email, person.password);
  return {
    baseUrl,
    clientId: client.client_id,
    email: person.email,
    secrets: { client_secret: client.client_secret, ...token },
  };
}

function parseDemo(text: string | null): DemoFile | null {
  try {
    // Written by our own server; what is missing fails at the login that follows.
    return text === null ? null : (JSON.parse(text) as DemoFile);
  } catch {
    return null;
  }
}

async function consoleToken(cli: Cli, baseUrl: string, email: string, password: string) {
  const client = clientOf(cli, baseUrl, {});
  const { accessToken, expiresIn } = await client.account.login({ email, password }, cli.call);
  return {
    console_token: accessToken,
    console_token_expires_at: new Date(Date.now() + expiresIn * 1000).toISOString(),
  };
}

function clientOf(
  cli: Cli,
  baseUrl: string,
  given: { clientId?: string; clientSecret?: string; token?: string },
): Changgu {
  const { clientId, clientSecret, token } = given;
  return createClient(cli, baseUrl, 'sandbox', { clientId, clientSecret, token, source: 'flag' });
}
