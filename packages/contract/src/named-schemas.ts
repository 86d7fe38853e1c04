import type { JsonSchema } from './json-schema.ts';

const MARK = 'x-addition';

/** Named schemas found so far, by their `$id`. */
export type NamedSchemas = Map<string, JsonSchema>;

/**
 * A copy of `schema` in which every part with an `$id` is replaced by `refer($id)`; the replaced parts go into `named`.
 * @throws Error when two different schemas have one `$id`
 */
export function extractNamed(
  schema: object,
  named: NamedSchemas,
  refer: (name: string) => JsonSchema,
): JsonSchema {
  const { $id, ...rest } = schema as { readonly $id?: string };
  if ($id === undefined) return copyParts(rest, (part) => extractNamed(part, named, refer));
  // What is marked is the use of the schema, which others may use unmarked.
  const { [MARK]: mark, ...definition } = rest as { readonly [MARK]?: unknown };
  const copy = copyParts(definition, (part) => extractNamed(part, named, refer));
  const known = named.get($id);
  if (known === undefined) named.set($id, copy);
  else if (JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`Two different schemas are named ${$id}`);
  }
  return mark === undefined ? refer($id) : { ...refer($id), [MARK]: mark };
}

/** A copy of `schema` without any `$id`, so that a validator can compile it repeatedly. */
export function inlineSchema(schema: object): JsonSchema {
  const { $id: _, ...rest } = schema as { readonly $id?: string };
  return copyParts(rest, inlineSchema);
}

function copyParts(schema: object, part: (schema: object) => JsonSchema): JsonSchema {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    return typeof value === 'object' && value !== null ? part(value) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, copy(value)]));
}
