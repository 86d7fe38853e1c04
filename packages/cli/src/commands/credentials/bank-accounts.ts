import type { Cli } from '../../cli.ts';
import { confirm } from '../../input/prompt.ts';
import { InputReader } from '../../input/read-input.ts';
import type { Shape } from '../../output/output.ts';
import { credentialSecrets } from './credential-secrets.ts';

const ACCOUNT: Shape = {
  columns: [
    'bank_account_credential_id',
    'masked_account_no',
    'status',
    'is_default',
    'registered_at',
  ],
  id: 'bank_account_credential_id',
};

interface Secrets {
  readonly secret?: readonly string[] | undefined;
}

export async function list(cli: Cli, link: string): Promise<undefined> {
  const client = await cli.client('console');
  const { items } = await client.credentials.bankAccounts.list(link, cli.call);
  await cli.output.list(items, ACCOUNT);
}

export async function get(cli: Cli, link: string, id: string): Promise<undefined> {
  const client = await cli.client('console');
  await cli.output.item(await client.credentials.bankAccounts.get(link, id, cli.call), ACCOUNT);
}

export async function add(cli: Cli, link: string, { secret }: Secrets): Promise<undefined> {
  const reader = new InputReader(cli.io, cli.texts);
  const names = ['account_no', 'account_password'] as const;
  const secrets = await credentialSecrets(cli, names, secret, reader);
  const client = await cli.client('console');
  const account = await client.credentials.bankAccounts.link(
    link,
    { accountNo: secrets.account_no, accountPassword: secrets.account_password },
    cli.call,
  );
  await cli.output.item(account, ACCOUNT);
}

/** Replaces the password of an account; a suspended one becomes active. */
export async function password(
  cli: Cli,
  link: string,
  id: string,
  { secret }: Secrets,
): Promise<undefined> {
  const reader = new InputReader(cli.io, cli.texts);
  const secrets = await credentialSecrets(cli, ['account_password'], secret, reader);
  const { bankAccounts } = (await cli.client('console')).credentials;
  const account = await bankAccounts.updatePassword(link, id, secrets.account_password, cli.call);
  await cli.output.item(account, ACCOUNT);
}

export async function setDefault(cli: Cli, link: string, id: string): Promise<undefined> {
  const { bankAccounts } = (await cli.client('console')).credentials;
  await cli.output.item(await bankAccounts.setDefault(link, id, cli.call), ACCOUNT);
}

export async function remove(cli: Cli, link: string, id: string): Promise<undefined> {
  await confirm(cli, cli.texts.accounts.removeAsk(id));
  const { bankAccounts } = (await cli.client('console')).credentials;
  await cli.output.item(await bankAccounts.unlink(link, id, cli.call), {
    columns: ['bank_account_credential_id', 'status'],
    id: 'bank_account_credential_id',
  });
}
