import { type CatalogueAction, loadCatalogue, nearest } from '@changgu/sdk/catalogue';
import type { Cli } from '../cli.ts';
import { usageError } from '../cli-error.ts';
import { readOwnInstitutions } from './own-institutions.ts';

/** What to type where an action is missing or wrong. */
export const SEE_ACTIONS = 'changgu actions list';

/**
 * The action of this name. The service is asked only about institutions that are not built in; null when
 * it cannot be asked, in which case the action is sent unchecked.
 * @throws usage error with the nearest name, for a wrong name
 */
export async function findAction(cli: Cli, id: string): Promise<CatalogueAction | null> {
  const { texts } = cli;
  const { actions, institutions } = await loadCatalogue();
  const builtIn = actions.get(id);
  if (builtIn) return builtIn;
  const provider = id.split('.', 1)[0];
  const foreign = id.includes('.') && !institutions.some((known) => known.provider === provider);
  const own = foreign ? await readOwnInstitutions(cli) : [];
  const ownActions = own?.flatMap((institution) => institution.actions) ?? [];
  const action = ownActions.find((known) => known.id === id);
  if (action) return action;
  const meant = nearest(id, [...actions.keys(), ...ownActions.map((known) => known.id)]);
  if (own === null && meant === null) return null;
  throw usageError(
    texts.input.unknownAction(id),
    ...(meant === null ? [] : [texts.didYouMean(meant)]),
    SEE_ACTIONS,
    ...(own === null ? [texts.input.unchecked] : []),
  );
}
