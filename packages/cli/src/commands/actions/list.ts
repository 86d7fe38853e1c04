import { loadCatalogue } from '@changgu/sdk/catalogue';
import type { Cli } from '../../cli.ts';
import { readOwnInstitutions } from '../../input/own-institutions.ts';

export interface ListOptions {
  readonly provider?: string | undefined;
  readonly search?: string | undefined;
}

/** The built-in actions, and those that a team added to the service. */
export async function list(cli: Cli, { provider, search = '' }: ListOptions): Promise<undefined> {
  const { institutions: builtIn } = await loadCatalogue();
  const namedBuiltIn = builtIn.some((institution) => institution.provider === provider);
  const own = namedBuiltIn ? null : await readOwnInstitutions(cli);
  const words = search.toLowerCase().split(/\s+/);
  const rows = [...builtIn, ...(own ?? [])]
    .flatMap(({ actions }) => actions)
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
