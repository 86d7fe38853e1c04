import type { LinkDetails } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { confirm } from '../../input/prompt.ts';
import { InputReader } from '../../input/read-input.ts';
import type { Shape } from '../../output/output.ts';
import { credentialSecrets } from './credential-secrets.ts';

const LINK: Shape = {
  columns: ['account_link_id', 'provider', 'status', 'is_primary', 'display_label'],
  id: 'account_link_id',
};

export async function list(
  cli: Cli,
  { provider }: { readonly provider?: string | undefined },
): Promise<undefined> {
  const client = await cli.client('console');
  const query = provider === undefined ? {} : { provider };
  const { items } = await client.credentials.list(query, cli.call);
  await cli.output.list(items, LINK);
}

export async function get(cli: Cli, id: string): Promise<undefined> {
  const client = await cli.client('console');
  await cli.output.item(await client.credentials.get(id, cli.call), LINK);
}

export interface CreateOptions {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Ask for, or take from --secret, an id and a password. */
  readonly login?: true | undefined;
  readonly consentCode?: string | undefined;
  readonly state?: string | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly primary?: true | undefined;
  readonly confirm?: true | undefined;
  readonly bizNumber?: string | undefined;
  readonly excludeProviders?: string[] | undefined;
}

/** Registers a certificate, a login or a consent. Everything secret is encrypted before it leaves this process. */
export async function create(
  cli: Cli,
  provider: string,
  options: CreateOptions,
): Promise<undefined> {
  const { label, primary, confirm: confirmed, bizNumber, excludeProviders } = options;
  const identity = await readIdentity(cli, options);
  const client = await cli.client('console');
  const linked = await client.credentials.link(
    {
      provider,
      ...identity,
      ...(label === undefined ? {} : { displayLabel: label }),
      ...(primary ? { isPrimary: true } : {}),
      ...(confirmed ? { confirm: true } : {}),
      ...(bizNumber === undefined ? {} : { bizNumber }),
      ...(excludeProviders ? { excludeProviders } : {}),
    },
    cli.call,
  );
  await cli.output.item(linked, { columns: ['account_link_id'], id: 'account_link_id' });
}

type Identity = Pick<LinkDetails, 'secrets' | 'authorizationCode' | 'state'>;

async function readIdentity(cli: Cli, options: CreateOptions): Promise<Identity> {
  const { cert, key, login, consentCode, state } = options;
  const reader = new InputReader(cli.io, cli.texts);
  const given = [
    cert !== undefined && key !== undefined,
    login === true,
    consentCode !== undefined,
  ];
  if (given.filter(Boolean).length !== 1) throw usageError(cli.texts.accounts.whichKind);
  if (consentCode !== undefined) {
    return { authorizationCode: consentCode, ...(state === undefined ? {} : { state }) };
  }
  if (login) {
    const names = ['login_id', 'login_password'] as const;
    const secrets = await credentialSecrets(cli, names, options.secret, reader);
    return { secrets: { loginId: secrets.login_id, loginPassword: secrets.login_password } };
  }
  const certData = await reader.bytes(cert ?? '', '--cert');
  const keyData = await reader.bytes(key ?? '', '--key');
  const secrets = await credentialSecrets(cli, ['encrypted_pw'], options.secret, reader);
  return { secrets: { certData, keyData, encryptedPw: secrets.encrypted_pw } };
}

export interface UnlinkOptions {
  readonly reason?: 'user_request' | 'admin_action' | 'security_incident' | undefined;
}

export async function unlink(cli: Cli, id: string, { reason }: UnlinkOptions): Promise<undefined> {
  await confirm(cli, cli.texts.accounts.unlinkAsk(id));
  const client = await cli.client('console');
  const body = reason === undefined ? {} : { unlinkReason: reason };
  await cli.output.item(await client.credentials.unlink(id, body, cli.call), {
    columns: ['account_link_id', 'status'],
    id: 'account_link_id',
  });
}

export async function consentUrl(
  cli: Cli,
  provider: string,
  {
    features,
    open,
  }: { readonly features?: string[] | undefined; readonly open?: true | undefined },
): Promise<undefined> {
  const client = await cli.client('console');
  const body = { provider, ...(features ? { features } : {}) };
  const answer = await client.credentials.consentUrl(body, cli.call);
  await cli.output.item(answer, {
    columns: ['consent_url', 'state', 'expires_at'],
    id: 'consent_url',
  });
  if (open && cli.interactive) await (await import('open')).default(answer.consentUrl);
}

/** Replaces the whole selection; without a value clears it. */
export async function selectAssets(
  cli: Cli,
  id: string,
  given: string | undefined,
): Promise<undefined> {
  const reader = new InputReader(cli.io, cli.texts);
  const assets = given === undefined ? null : await reader.jsonObject(given, 'assets');
  const client = await cli.client('console');
  await cli.output.item(await client.credentials.selectAssets(id, assets, cli.call), {
    columns: ['account_link_id', 'selected_assets'],
    id: 'account_link_id',
  });
}
