import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import type { EnvScopeName } from '../../config/settings.ts';
import { confirm } from '../../input/prompt.ts';
import type { Shape } from '../../output/output.ts';

const KEY: Shape = {
  columns: ['client_id', 'label', 'status', 'allowed_env_scopes', 'created_at'],
  id: 'client_id',
};

export async function list(cli: Cli): Promise<undefined> {
  const client = await cli.client('console');
  const { items } = await client.appCredentials.list(cli.call);
  await cli.output.list(items, KEY);
}

export interface IssueOptions {
  readonly env?: EnvScopeName[] | undefined;
  readonly integration?: 'standard_external' | 'desktop_agent' | undefined;
  readonly readOnly?: true | undefined;
  readonly allowedActions?: string[] | undefined;
  readonly allowIrreversibleTools?: true | undefined;
}

const ISSUED: Shape = { columns: ['client_id', 'client_secret'], id: 'client_id' };

/** Issues a key; its secret is the data, shown this once. Nothing is issued if the output would lose it. */
export async function issue(cli: Cli, label: string, options: IssueOptions): Promise<undefined> {
  if (cli.output.leavesOut('client_secret', ISSUED)) {
    throw usageError(cli.texts.accounts.secretLost);
  }
  const { env, integration, readOnly, allowedActions, allowIrreversibleTools } = options;
  const client = await cli.client('console');
  const issued = await client.appCredentials.issue(
    {
      label,
      ...(env ? { allowedEnvScopes: env } : {}),
      ...(integration ? { integrationProfile: integration } : {}),
      ...(readOnly ? { readOnly } : {}),
      ...(allowedActions ? { allowedActions } : {}),
      ...(allowIrreversibleTools ? { allowIrreversibleTools } : {}),
    },
    cli.call,
  );
  await cli.output.item(issued, ISSUED);
  await cli.notes.warn(cli.texts.accounts.secretOnce);
}

export async function revoke(
  cli: Cli,
  clientId: string,
  { reason }: { readonly reason?: string | undefined },
): Promise<undefined> {
  await confirm(cli, cli.texts.accounts.revokeAsk(clientId));
  const client = await cli.client('console');
  const body = reason === undefined ? {} : { revokedReason: reason };
  await cli.output.item(await client.appCredentials.revoke(clientId, body, cli.call), {
    columns: ['client_id', 'status'],
    id: 'client_id',
  });
}
