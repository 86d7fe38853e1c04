import { isSchema, type JsonSchema, withinNull } from '../json-schema.ts';
import { JOB_STATES } from '../values/job-states.ts';
import { isKnownMediaType } from './media-types.ts';

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

/** A name of ours, one of two words at most, or a code. */
function isPlainName(name: string, { properties }: JsonSchema = {}): boolean {
  if (isSchema(properties) && Object.hasOwn(properties, name)) return true;
  return name !== OTHER_NAMES && (isShortIdentifier(name) || isCode(name));
}

const IDENTIFIER = /^[A-Za-z_]\w{0,23}$/;
const WORD_OF_NAME = /[A-Z]?[a-z]{2,}|[A-Z]{3,}/g;
const VOWEL = /[aeiouy]/i;
const MAX_LETTERS_OF_NAME = 16;
const MAX_WORDS_OF_NAME = 2;

/** `balance`, `row_index`, `pageNo`. What has no vowel, such as `srch`, and two letters, as in `file_sn`, are no words. */
function isShortIdentifier(name: string): boolean {
  if (!IDENTIFIER.test(name) || lettersIn(name) > MAX_LETTERS_OF_NAME) return false;
  const words = (name.match(WORD_OF_NAME) ?? []).filter(
    (word) => word.length > 2 && VOWEL.test(word),
  );
  return words.length <= MAX_WORDS_OF_NAME;
}

/** A text of ours, one of a closed list, bytes, or a text that cannot be a sentence. */
function isPlain(text: string, schema: JsonSchema): boolean {
  if (isUntrusted(schema)) return false;
  const { type, enum: values, contentEncoding } = schema;
  if (Array.isArray(values)) return values.includes(text);
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isText) return false;
  if (contentEncoding === 'base64') return isBase64(text);
  return schema['x-own-text'] === true || isCode(text);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const NO_LETTER = /[\d+/=]/;

/** What an encoder wrote, which is seldom letters alone. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text) && (text === '' || NO_LETTER.test(text));
}

/**
 * A date, a number, an id, a code. Letters are counted and not words, since a sentence needs no blanks: four of them,
 * as in `BE904` or `KRW`, say nothing. What may have more has a form that leaves no room for a sentence.
 */
export function isCode(text: string): boolean {
  if (text.length > MAX_CODE) return false;
  if (PRINTABLE.test(text) && lettersIn(text) <= MAX_LETTERS) return true;
  return HEX.test(text) || UUID.test(text) || isUlid(text) || isKnownWord(text);
}

const MAX_CODE = 130;
const PRINTABLE = /^[\x21-\x7e]*$/;
const MAX_LETTERS = 4;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A hash or a trace: A to F spell no sentence. */
const HEX = /^(?:trc_)?(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})$/;
const ULID = /^(?:(?:job|art|cli|cus|evt|lak|whk|oag|oac|pd)_)?[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const LETTERS_IN_A_ROW = /[A-Z]{13}/;
const MIN_DIGITS_OF_ULID = 5;

/** One by chance: a chosen one could spell words, and has few digits then. */
function isUlid(text: string): boolean {
  if (!ULID.test(text) || LETTERS_IN_A_ROW.test(text)) return false;
  return (text.match(/\d/g) ?? []).length >= MIN_DIGITS_OF_ULID;
}

/** States in the words that services use for them. */
const STATES: ReadonlySet<string> = new Set([
  ...JOB_STATES,
  'ACTIVE',
  'APPROVED',
  'CANCELLED',
  'CLOSED',
  'COMPLETED',
  'ERROR',
  'EXPIRED',
  'FALSE',
  'INACTIVE',
  'ISSUED',
  'NORMAL',
  'PENDING',
  'PROCESSING',
  'RECEIVED',
  'REJECTED',
  'SUCCESS',
  'UNKNOWN',
]);

function isKnownWord(text: string): boolean {
  const upper = text.toUpperCase();
  const isOneCase = text === upper || text === text.toLowerCase();
  return (isOneCase && STATES.has(upper)) || isKnownMediaType(text);
}

function lettersIn(text: string): number {
  return text.replace(/[^A-Za-z]+/g, '').length;
}

function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const { properties, patternProperties, additionalProperties } = schema ?? {};
  const named = isSchema(properties) && Object.hasOwn(properties, name) && properties[name];
  if (isSchema(named)) return named;
  const patterns = isSchema(patternProperties) ? Object.entries(patternProperties) : [];
  const found = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1];
  return [found, additionalProperties].find(isSchema);
}
