import type { JsonSchema } from '@changgu/contract/catalogue';

/** Does this schema stand for words of other people (D154)? */
export function isUntrusted(schema: JsonSchema): boolean {
  return schema['x-untrusted-text'] === true;
}

/**
 * A copy of a result in which every text of other people is `{untrusted_text}`, so that no model takes it
 * for an instruction (D154). What the schema does not know stays as it is.
 */
export function wrapUntrusted(value: unknown, schema: JsonSchema): unknown {
  if (typeof value === 'string') return isUntrusted(schema) ? { untrusted_text: value } : value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return isSchema(items) ? value.map((item) => wrapUntrusted(item, items)) : value;
  }
  if (!isObject(value) || !isObject(schema.properties)) return value;
  const { properties } = schema;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, isSchema(known) ? wrapUntrusted(child, known) : child];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchema(value: unknown): value is JsonSchema {
  return isObject(value);
}
