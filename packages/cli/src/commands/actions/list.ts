import { type CatalogueInstitution, loadCatalogue, searchForm } from '@changgu/sdk/catalogue';
import type { Cli } from '../../cli.ts';
import { reads } from '../../command.ts';
import { findInstitution, unknownInstitution } from '../../input/find-institution.ts';
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
    const institutions =
      provider === undefined ? await allInstitutions(cli) : [await oneInstitution(cli, provider)];
    const words = searchForm(search).split(/\s+/);
    const rows = institutions
      .flatMap((institution) => institution.actions)
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

/** @throws usage error also where the service cannot be asked, and then names those that are built in */
async function oneInstitution(cli: Cli, provider: string): Promise<CatalogueInstitution> {
  const found = await findInstitution(cli, provider);
  if (found) return found;
  throw unknownInstitution(cli, provider, (await loadCatalogue()).institutions);
}

async function allInstitutions(cli: Cli): Promise<readonly CatalogueInstitution[]> {
  const { institutions } = await loadCatalogue();
  return [...institutions, ...((await readOwnInstitutions(cli)) ?? [])];
}
