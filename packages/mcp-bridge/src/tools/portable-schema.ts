import type { JsonObjectSchema, JsonSchema } from '@changgu/sdk/catalogue';
import { isJsonObject } from '../json-object.ts';

/**
 * The params of an action in the part of JSON Schema that every host takes (anchors: compatibility traps 6 and 8): one type
 * each, no examples, and nothing that the service does not know.
 */
export function portableParams({ properties }: JsonObjectSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, portable(schema)]),
  );
}

function portable(schema: JsonSchema): JsonSchema {
  const { examples: _examples, type, enum: values, items, properties, ...others } = schema;
  const rest = Object.fromEntries(
    Object.entries(others).filter(([name]) => !name.startsWith('x-')),
  );
  const single: unknown = Array.isArray(type) ? type[0] : type;
  return {
    ...rest,
    ...(single === undefined ? {} : { type: single }),
    ...(Array.isArray(values) ? { enum: values.filter((value) => isOfType(value, single)) } : {}),
    ...(isJsonObject(items) ? { items: portable(items) } : {}),
    ...(isJsonObject(properties)
      ? { properties: portableParams({ type: 'object', properties: schemasOf(properties) }) }
      : {}),
  };
}

function schemasOf(properties: Readonly<Record<string, unknown>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonSchema] =>
      isJsonObject(entry[1]),
    ),
  );
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === undefined || typeof value === type;
}
