import type { CatalogueAction, JsonObjectSchema } from '@changgu/sdk/catalogue';

const known = new WeakMap<CatalogueAction, JsonObjectSchema>();

/**
 * The params of an action without room for names that it does not know. The service lets them pass and ignores them; a
 * person who agreed to a summary with such a name would have agreed to something else.
 */
export function strictParams(action: CatalogueAction): JsonObjectSchema {
  const strict = known.get(action) ?? { ...action.params, additionalProperties: false };
  known.set(action, strict);
  return strict;
}
