import { loadCatalogue, searchForm } from '@changgu/sdk/catalogue';
import { reads } from '../../command.ts';
import { readOwnInstitutions } from '../../input/own-institutions.ts';
import type { Shape } from '../../output/shape.ts';

export interface ListOptions {
  readonly provider?: string | undefined;
  readonly search?: string | undefined;
}

const ACTION: Shape = {
  fields: [
    'action',
    'title',
    'provider',
    'usage_tokens',
    'irreversible',
    'selects_account',
    'needs_session',
  ],
  columns: ['action', 'title', 'usage_tokens'],
  id: 'action',
};

/** The built-in actions, and those of the service's custom institutions. */
export const list = reads<[options: ListOptions]>(
  ACTION,
  async (cli, { provider, search = '' }) => {
    const { institutions: builtIn } = await loadCatalogue();
    const namedBuiltIn = builtIn.some((institution) => institution.provider === provider);
    const own = namedBuiltIn ? null : await readOwnInstitutions(cli);
    const words = searchForm(search).split(/\s+/);
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
        const text = searchForm(`${action} ${title}`);
        return words.every((word) => text.includes(word));
      });
    await cli.output.list(rows, ACTION);
    return undefined;
  },
);
