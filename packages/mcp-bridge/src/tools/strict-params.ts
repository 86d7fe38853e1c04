import {
  type CatalogueAction,
  type JsonObjectSchema,
  RESULT_VIEW_PROPERTIES,
} from '@changgu/sdk/catalogue';

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

const STRICT_VIEW = {
  type: 'object',
  properties: RESULT_VIEW_PROPERTIES,
  additionalProperties: false,
} as const;
const checked = new WeakMap<JsonObjectSchema, JsonObjectSchema>();

/** A tool's input as calls are checked against it. In the list its `view` is open: closed, it would cost tokens at every tool. */
export function strictInput(listed: JsonObjectSchema): JsonObjectSchema {
  if (listed.properties.view === undefined) return listed;
  const strict = checked.get(listed) ?? {
    ...listed,
    properties: { ...listed.properties, view: STRICT_VIEW },
  };
  checked.set(listed, strict);
  return strict;
}
