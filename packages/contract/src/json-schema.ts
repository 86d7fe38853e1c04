import { isJsonObject } from './json-object.ts';

/** A JSON Schema (2020-12) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A JSON Schema of an object, like every action's params and result. */
export interface JsonObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Whether this is a JSON object, as every schema except `true` and `false` is. */
export function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

/** The schema of the value itself, where the value may also be null. */
export function withinNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.filter(isSchema).filter(({ type }) => type !== 'null');
  return (others.length === 1 && others[0]) || schema;
}
