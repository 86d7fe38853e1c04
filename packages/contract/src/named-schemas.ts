import type { JsonSchema } from './json-schema.ts';

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
  const copy = copyParts(rest, (part) => extractNamed(part, named, refer));
  if ($id === undefined) return copy;
  const known = named.get($id);
  if (known === undefined) named.set($id, copy);
  else if (JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`Two different schemas are named ${$id}`);
  }
  return refer($id);
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
