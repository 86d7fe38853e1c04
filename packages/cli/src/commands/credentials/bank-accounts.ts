import type { Cli } from '../../cli.ts';
import { reads, writes } from '../../command.ts';
import { InputReader } from '../../input/read-input.ts';
import { credentialSecrets } from './credential-secrets.ts';
import { ACCOUNT, ACCOUNT_OF_LINK, UNLINKED_ACCOUNT } from './shapes.ts';

interface Secrets {
  readonly secret?: readonly string[] | undefined;
}

/** Of one link, or of all active links. */
export const list = reads<[link: string | undefined]>(
  (_, link) => (link === undefined ? ACCOUNT_OF_LINK : ACCOUNT),
  async (cli, link) => {
    if (link === undefined) await cli.output.list(ofAllLinks(cli), ACCOUNT_OF_LINK);
    else {
      const client = await cli.client('console');
      const { items } = await client.credentials.bankAccounts.list(link, cli.call);
      await cli.output.list(items, ACCOUNT);
    }
    return undefined;
  },
);

async function* ofAllLinks(cli: Cli): AsyncGenerator<object> {
  const { credentials } = await cli.client('console');
  const { items: links } = await credentials.list({}, cli.call);
  for (const { accountLinkId, provider } of links) {
    const { items } = await credentials.bankAccounts.list(accountLinkId, cli.call);
    for (const account of items) yield { ...account, provider, accountLinkId };
  }
}

export const get = reads<[link: string, id: string]>(ACCOUNT, async (cli, link, id) => {
  const client = await cli.client('console');
  await cli.output.item(await client.credentials.bankAccounts.get(link, id, cli.call), ACCOUNT);
  return undefined;
});

export const add = writes<[link: string, options: Secrets]>(
  ACCOUNT,
  async (cli, link, { secret }) => {
    const reader = new InputReader(cli.io, cli.texts);
    const names = ['account_no', 'account_password'] as const;
    const secrets = await credentialSecrets(cli, names, secret, reader);
    const { bankAccounts } = (await cli.client('console')).credentials;
    const account = await bankAccounts.link(
      link,
      { accountNo: secrets.account_no, accountPassword: secrets.account_password },
      cli.call,
    );
    await cli.output.item(account, ACCOUNT);
    return undefined;
  },
);

/** Replaces the password of an account; a suspended one becomes active. */
export const password = writes<[link: string, id: string, options: Secrets]>(
  ACCOUNT,
  async (cli, link, id, { secret }) => {
    const reader = new InputReader(cli.io, cli.texts);
    const secrets = await credentialSecrets(cli, ['account_password'], secret, reader);
    const { bankAccounts } = (await cli.client('console')).credentials;
    const account = await bankAccounts.updatePassword(link, id, secrets.account_password, cli.call);
    await cli.output.item(account, ACCOUNT);
    return undefined;
  },
);

export const setDefault = writes<[link: string, id: string]>(ACCOUNT, async (cli, link, id) => {
  const { bankAccounts } = (await cli.client('console')).credentials;
  await cli.output.item(await bankAccounts.setDefault(link, id, cli.call), ACCOUNT);
  return undefined;
});

export const remove = writes<[link: string, id: string]>(
  UNLINKED_ACCOUNT,
  async (cli, link, id) => {
    const { bankAccounts } = (await cli.client('console')).credentials;
    const { maskedAccountNo } = await bankAccounts.get(link, id, cli.call);
    await cli.confirm(async () => cli.texts.accounts.removeAsk(maskedAccountNo, id));
    await cli.output.item(await bankAccounts.unlink(link, id, cli.call), UNLINKED_ACCOUNT);
    return undefined;
  },
);
