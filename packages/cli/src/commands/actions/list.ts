import { loadCatalogue } from '@changgu/sdk/catalogue';
import type { Cli } from '../../cli.ts';

export interface ListOptions {
  readonly provider?: string | undefined;
  readonly search?: string | undefined;
}

/** The actions that this program knows; no network. */
export async function list(cli: Cli, { provider, search = '' }: ListOptions): Promise<undefined> {
  const { actions } = await loadCatalogue();
  const words = search.toLowerCase().split(/\s+/);
  const rows = [...actions.values()]
    .filter((action) => provider === undefined || action.provider === provider)
    .map((action) => ({
      action: action.id,
      title: action.title[cli.language],
      provider: action.provider,
      usageTokens: action.usageTokens,
      irreversible: action.irreversible,
      selectsAccount: action.selectsAccount,
      needsSession: action.needsSession,
    }))
    .filter(({ action, title }) => {
      const text = `${action} ${title}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  await cli.output.list(rows, { columns: ['action', 'title'], id: 'action' });
}
