import type { JsonSchema } from '@changgu/contract/catalogue';
import { isUntrusted } from './untrusted-text.ts';

/**
 * An action's schema in the part of JSON Schema that every host takes: no type arrays, no anyOf, no keywords
 * of our own (anchors: compatibility traps 6 and 8). The server itself goes on accepting all that it did.
 */
export function portableInput(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema;
  if (!Array.isArray(type)) return withParts(schema, portableInput);
  const [first] = type;
  const own = Array.isArray(values) && values.filter((value) => isOfType(value, first));
  return { ...withParts(rest, portableInput), type: first, ...(own ? { enum: own } : {}) };
}

/**
 * The same of a result. Sandbox and missing values leave fields out, so none is required; a field that may be
 * null has no type, only its description.
 */
export function portableOutput(schema: JsonSchema): JsonSchema {
  const { description, type, anyOf } = schema;
  const isNullable = Array.isArray(type) || anyOf !== undefined;
  if (isUntrusted(schema)) return untrustedText(description, isNullable);
  if (isNullable) return { description: `${text(description)}Or null.` };
  const { required: _required, ...rest } = withParts(schema, portableOutput);
  return rest;
}

function untrustedText(description: unknown, isNullable: boolean): JsonSchema {
  if (isNullable) return { description: `${text(description)}{untrusted_text}, or null.` };
  return { type: 'object', description, properties: { untrusted_text: { type: 'string' } } };
}

/** A copy in which the parts went through `change`. */
function withParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
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

function text(description: unknown): string {
  return typeof description === 'string' ? `${description}. ` : '';
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
