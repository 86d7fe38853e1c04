import { type CatalogueAction, loadCatalogue, nearest } from '@changgu/sdk/catalogue';
import { usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';

/**
 * The action of this name; null for one of an institution that only the service knows (D149), which is then sent
 * unchecked.
 * @throws usage error with the nearest name, for a wrong name of a known institution
 */
export async function findAction(id: string, texts: Texts): Promise<CatalogueAction | null> {
  const { actions, institutions } = await loadCatalogue();
  const action = actions.get(id);
  if (action) return action;
  const provider = id.split('.', 1)[0];
  const own = id.includes('.') && !institutions.some((known) => known.provider === provider);
  const meant = nearest(id, [...actions.keys()]);
  if (own && meant === null) return null;
  throw usageError(
    texts.input.unknownAction(id),
    ...(meant === null ? [] : [texts.didYouMean(meant)]),
    texts.input.seeActions,
    ...(own ? [texts.input.unchecked] : []),
  );
}
