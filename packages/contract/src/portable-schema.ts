import { isSchema, type JsonObjectSchema, type JsonSchema } from './json-schema.ts';
import { isUntrusted } from './untrusted/untrusted-text.ts';

/** The params of an action, each as {@link portableInput}. */
export function portableParams({ properties }: JsonObjectSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, portableInput(schema)]),
  );
}

/**
 * An action's schema in the subset of JSON Schema that every MCP host supports: one type each, no anyOf, no keywords
 * of our own, and no examples, which cost tokens in every list of tools. The service still accepts what it did.
 */
export function portableInput(whole: JsonSchema): JsonSchema {
  const schema: JsonSchema = Object.fromEntries(
    Object.entries(whole).filter(([name]) => name !== 'examples' && !name.startsWith('x-')),
  );
  const { type, enum: values, ...rest } = schema;
  if (!Array.isArray(type)) return withParts(schema, portableInput);
  const [first] = type;
  const own = Array.isArray(values) && values.filter((value) => isOfType(value, first));
  return { ...withParts(rest, portableInput), type: first, ...(own ? { enum: own } : {}) };
}

/**
 * The same for a result. Sandbox and missing values omit fields, so none is required; a nullable value is a
 * choice of two, below the root.
 */
export function portableOutput(schema: JsonSchema): JsonSchema {
  const { description, type, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    return {
      ...schema,
      anyOf: anyOf.map((part) => (isSchema(part) ? portableOutput(part) : part)),
    };
  }
  if (Array.isArray(type)) {
    const { description: _description, enum: values, ...rest } = schema;
    const [first] = type;
    const own = Array.isArray(values) && { enum: values.filter((value) => isOfType(value, first)) };
    return orNull(portableOutput({ ...rest, type: first, ...own }), description);
  }
  if (isUntrusted(schema)) return untrustedText(description);
  const { required: _required, ...rest } = withParts(schema, portableOutput);
  return rest;
}

/** `schema` or null. */
export function orNull(schema: JsonSchema, description: unknown): JsonSchema {
  return { description, anyOf: [schema, { type: 'null' }] };
}

function untrustedText(description: unknown): JsonSchema {
  const told = description === undefined ? {} : { description };
  return { type: 'object', ...told, properties: { untrusted_text: { type: 'string' } } };
}

/** A copy whose parts were transformed by `change`. */
function withParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const changed: Record<string, unknown> = { ...schema };
  for (const keyword of ['items', 'additionalProperties']) {
    const part = schema[keyword];
    if (isSchema(part)) changed[keyword] = change(part);
  }
  for (const keyword of ['properties', 'patternProperties']) {
    const parts = schema[keyword];
    if (isSchema(parts)) {
      changed[keyword] = Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, isSchema(part) ? change(part) : part]),
      );
    }
  }
  return changed;
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
