import type {
  AppCredentialList,
  EnvScope,
  IssuedAppCredential,
  RevokedAppCredential,
} from '@changgu/sdk';
import { notFound } from '../../cli-error.ts';
import { reads, writes } from '../../command.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';

const KEY: Shape = {
  fields: fieldsOf<AppCredentialList['items'][number]>()([
    'client_id',
    'label',
    'status',
    'allowed_env_scopes',
    'integration_profile',
    'read_only',
    'allowed_actions',
    'allow_irreversible_tools',
    'manage_webhooks',
    'created_at',
    'expires_at',
    'allowed_addresses',
    'previous_secret_expires_at',
    'last_used_on',
    'last_used_address',
    'revoked_at',
    'revoked_reason',
  ]),
  columns: ['client_id', 'label', 'status', 'allowed_env_scopes', 'created_at'],
  id: 'client_id',
  whole: ['status'],
};

export const list = reads<[]>(KEY, async (cli) => {
  const client = await cli.client('console');
  const { items } = await client.appCredentials.list(cli.call);
  await cli.output.list(items, KEY);
  return undefined;
});

export interface IssueOptions {
  readonly env?: EnvScope[] | undefined;
  readonly integration?: 'standard_external' | 'desktop_agent' | undefined;
  readonly readOnly?: true | undefined;
  readonly allowedActions?: string[] | undefined;
  readonly allowIrreversibleTools?: true | undefined;
  readonly manageWebhooks?: true | undefined;
  /** Milliseconds since the epoch. */
  readonly expires?: number | undefined;
  readonly allowAddress?: string[] | undefined;
}

const ISSUED: Shape = {
  fields: fieldsOf<IssuedAppCredential>()([
    'client_id',
    'client_secret',
    'label',
    'status',
    'allowed_env_scopes',
    'integration_profile',
    'read_only',
    'allowed_actions',
    'allow_irreversible_tools',
    'manage_webhooks',
    'created_at',
    'expires_at',
    'allowed_addresses',
    'previous_secret_expires_at',
  ]),
  columns: ['client_id', 'client_secret'],
  id: 'client_id',
  keep: ['client_secret'],
};

/** Issues a key; its secret is the data, shown only once. Nothing is issued if the output would lose it. */
export const issue = writes<[label: string, options: IssueOptions]>(
  ISSUED,
  async (cli, label, options) => {
    const { env, integration, readOnly, allowedActions, allowIrreversibleTools } = options;
    const { manageWebhooks, expires, allowAddress } = options;
    const client = await cli.client('console');
    const issued = await client.appCredentials.issue(
      {
        label,
        ...(env ? { allowedEnvScopes: env } : {}),
        ...(integration ? { integrationProfile: integration } : {}),
        ...(readOnly ? { readOnly } : {}),
        ...(allowedActions ? { allowedActions } : {}),
        ...(allowIrreversibleTools ? { allowIrreversibleTools } : {}),
        ...(manageWebhooks ? { manageWebhooks } : {}),
        ...(expires === undefined ? {} : { expiresAt: new Date(expires).toISOString() }),
        ...(allowAddress ? { allowedAddresses: allowAddress } : {}),
      },
      cli.call,
    );
    await cli.output.item(issued, ISSUED);
    await cli.notes.warn(cli.texts.accounts.secretOnce);
    return undefined;
  },
);

/** Replaces the secret; the new one is the data, shown only once. */
export const rotate = writes<
  [clientId: string, options: { readonly overlap?: number | undefined }]
>(ISSUED, async (cli, clientId, { overlap }) => {
  const client = await cli.client('console');
  const body = overlap === undefined ? {} : { overlapHours: overlap };
  const rotated = await client.appCredentials.rotate(clientId, body, cli.call);
  await cli.output.item(rotated, ISSUED);
  await cli.notes.warn(cli.texts.accounts.secretOnce);
  return undefined;
});

const REVOKED: Shape = {
  fields: fieldsOf<RevokedAppCredential>()(['client_id', 'status', 'revoked_at', 'revoked_reason']),
  columns: ['client_id', 'status'],
  id: 'client_id',
};

export const revoke = writes<[clientId: string, options: { readonly reason?: string | undefined }]>(
  REVOKED,
  async (cli, clientId, { reason }) => {
    const client = await cli.client('console');
    await cli.confirm(async () => {
      const { items } = await client.appCredentials.list(cli.call);
      const key = items.find((one) => one.clientId === clientId);
      const { noKey, revokeAsk } = cli.texts.accounts;
      if (!key) throw notFound(noKey(clientId), 'changgu app-credentials list');
      return revokeAsk(key.label, clientId);
    });
    const body = reason === undefined ? {} : { revokedReason: reason };
    await cli.output.item(await client.appCredentials.revoke(clientId, body, cli.call), REVOKED);
    return undefined;
  },
);
