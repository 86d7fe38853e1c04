import type { JsonSchema } from '@changgu/contract/catalogue';
import { isUntrusted } from './untrusted-text.ts';

/**
 * An action's schema in the part of JSON Schema that every host takes: no type arrays, no anyOf, no keywords
 * of our own. The server itself goes on accepting all that it did.
 */
export function portableInput(whole: JsonSchema): JsonSchema {
  // What a Korean form calls the field and its values.
  const { 'x-label': _label, 'x-texts': _texts, ...schema } = whole;
  const { type, enum: values, ...rest } = schema;
  if (!Array.isArray(type)) return withCore(schema, portableInput);
  const [first] = type;
  const own = Array.isArray(values) && values.filter((value) => isOfType(value, first));
  return { ...withCore(rest, portableInput), type: first, ...(own ? { enum: own } : {}) };
}

/**
 * The same of a result. Sandbox and missing values leave fields out, so none is required; what may be null is a
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
  const { required: _required, ...rest } = withCore(schema, portableOutput);
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

/** A copy in which the parts went through `change`. */
function withCore(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [
          name,
          isSchema(part) ? change(part) : part,
        ]),
      ),
    }),
    ...(isSchema(items) && { items: change(items) }),
  };
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
