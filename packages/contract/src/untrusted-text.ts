import { isSchema, type JsonSchema, withinNull } from './json-schema.ts';

/**
 * Words of an institution or of a third person, marked so that no model takes them for an instruction.
 *
 * @see docs/specification/agents.md#d154
 */
export interface UntrustedText {
  readonly untrusted_text: string;
}

/** Does this schema stand for words of other people? */
export function isUntrusted(schema: JsonSchema): boolean {
  return schema['x-untrusted-text'] === true;
}

/**
 * A copy of a result in which every text that the schema marks, and every text that it does not know, is
 * {@link UntrustedText}: what an institution adds to its pages is as foreign as what was expected.
 *
 * @param show what a reader gets to see of such a text
 */
export function markUntrusted(
  value: unknown,
  schema: JsonSchema | undefined,
  show: (text: string) => string = (text) => text,
): unknown {
  const known = schema && withinNull(schema);
  if (typeof value === 'string') {
    return known && isPlain(value, known) ? value : { untrusted_text: show(value) };
  }
  if (Array.isArray(value)) {
    const items = isSchema(known?.items) ? known.items : undefined;
    return value.map((item) => markUntrusted(item, items, show));
  }
  if (!isSchema(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      markUntrusted(child, propertyOf(known, name), show),
    ]),
  );
}

/** A text of ours, or one of a closed list. */
function isPlain(text: string, schema: JsonSchema): boolean {
  if (isUntrusted(schema)) return false;
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.includes(text);
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties, patternProperties, additionalProperties } = schema ?? {};
  const named = isSchema(properties) && Object.hasOwn(properties, name) && properties[name];
  if (isSchema(named)) return named;
  const patterns = isSchema(patternProperties) ? Object.entries(patternProperties) : [];
  const found = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1];
  return [found, additionalProperties].find(isSchema);
}
