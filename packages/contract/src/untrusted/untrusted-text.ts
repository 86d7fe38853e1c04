import { isSchema, type JsonSchema, withinNull } from '../json-schema.ts';

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
 * A copy of a result in which every text that the schema marks, every text that it does not know, and every other text
 * that could say something is {@link UntrustedText}: a branch or a state is read from the same pages as a memo. What has
 * a name that the schema does not know and that could say something is text under `other_names`.
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
  const marked: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [name, child] of Object.entries(value)) {
    if (isPlainName(name, known)) {
      marked.push([name, markUntrusted(child, propertyOf(known, name), show)]);
    } else others.push([name, child]);
  }
  if (others.length > 0) {
    const text = JSON.stringify(Object.fromEntries(others));
    marked.push([OTHER_NAMES, { untrusted_text: show(text) }]);
  }
  return Object.fromEntries(marked);
}

const OTHER_NAMES = 'other_names';
const SHORT_IDENTIFIER = /^[A-Za-z_]\w{0,31}$/;
const MAX_NAME = 64;

/** A name of ours, an identifier too short for an instruction, or a code. */
function isPlainName(name: string, { properties }: JsonSchema = {}): boolean {
  if (isSchema(properties) && Object.hasOwn(properties, name)) return true;
  if (name === OTHER_NAMES) return false;
  return SHORT_IDENTIFIER.test(name) || (name.length <= MAX_NAME && isCode(name));
}

/** A text of ours, one of a closed list, or one that cannot be a sentence. */
function isPlain(text: string, schema: JsonSchema): boolean {
  if (isUntrusted(schema)) return false;
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.includes(text);
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  return isText && (schema['x-own-text'] === true || isCode(text));
}

const ONE_WORD = /^[\x21-\x7e]{0,200}$/;
const MAX_WORDS = 3;
const OUR_ID = /^(?:[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Bytes, which a reader does not see unless it asks for them. */
const LONG_BASE64 = /^[A-Za-z0-9+/]{200,}={0,2}$/;

/** A date, a number, a code: without blanks, in ASCII, and too few letters in a row for an instruction. */
function isCode(text: string): boolean {
  if (OUR_ID.test(text) || LONG_BASE64.test(text)) return true;
  return ONE_WORD.test(text) && (text.match(/[A-Za-z]{3,}/g) ?? []).length <= MAX_WORDS;
}

function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties, patternProperties, additionalProperties } = schema ?? {};
  const named = isSchema(properties) && Object.hasOwn(properties, name) && properties[name];
  if (isSchema(named)) return named;
  const patterns = isSchema(patternProperties) ? Object.entries(patternProperties) : [];
  const found = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1];
  return [found, additionalProperties].find(isSchema);
}
