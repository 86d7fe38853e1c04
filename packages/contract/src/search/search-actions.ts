import type { CatalogueAction, CatalogueInstitution } from '../action.ts';
import { KEYWORDS } from './keywords.ts';
import { searchForm } from './search-form.ts';

/** Weights: a keyword names the act, a title says it, a description only mentions it. */
const KEYWORD_WEIGHT = 10;
const TITLE_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 1;

/** Particles that may end a Korean word of a query. */
const PARTICLES =
  /(?<=[가-힣]{2})(?:에서|으로|에게|까지|부터|을|를|이|가|은|는|의|에|로|와|과|도|만)$/;

/**
 * Actions by what people call them, in Korean or English, best first; all of them, in their order, for an empty query.
 * @param institutions for their names
 */
export function searchActions(
  actions: Iterable<CatalogueAction>,
  institutions: readonly CatalogueInstitution[],
  query: string,
): CatalogueAction[] {
  const text = searchForm(query).trim();
  if (text === '') return [...actions];
  const names = new Map(
    institutions.map(({ provider, title }) => [provider, `${title.ko} ${title.en} ${provider}`]),
  );
  const wanted = wantedIn(text);
  return [...actions]
    .map((action) => ({ action, score: scoreOf(action, names.get(action.provider) ?? '', wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ action }) => action);
}

/** A query, taken apart once for all actions. */
interface Wanted {
  readonly words: readonly string[];
  readonly joined: string;
}

function wantedIn(text: string): Wanted {
  const words = text.split(/\s+/);
  return { words: words.map((word) => word.replace(PARTICLES, '')), joined: words.join('') };
}

function scoreOf(action: CatalogueAction, institution: string, { words, joined }: Wanted): number {
  const { id, toolName, title, description } = action;
  const heads = `${id} ${toolName} ${title.ko} ${title.en} ${institution}`.toLowerCase();
  const texts = `${description.ko} ${description.en}`.toLowerCase();
  const byWords = words.map((word) => {
    if (heads.includes(word)) return TITLE_WEIGHT + word.length;
    return texts.includes(word) ? DESCRIPTION_WEIGHT : 0;
  });
  // The longest match only: `통장` in `통장거래` says nothing more.
  const byKeywords = keywordsOf(action)
    .filter((keyword) => joined.includes(keyword))
    .map((keyword) => KEYWORD_WEIGHT + 2 * keyword.length);
  return byWords.reduce((sum, part) => sum + part, 0) + Math.max(0, ...byKeywords);
}

function keywordsOf({ id, provider }: CatalogueAction): readonly string[] {
  return KEYWORDS[id] ?? KEYWORDS[id.slice(provider.length + 1)] ?? [];
}
