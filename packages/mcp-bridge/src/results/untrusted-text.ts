import type { JsonSchema } from '@changgu/sdk/catalogue';
import { isJsonObject } from '../json-object.ts';
import { maskNumbers } from './masking.ts';

/** Words of other people in a result, marked so that no model takes them for an instruction (D154). */
export interface UntrustedText {
  readonly untrusted_text: string;
}

/** Longest text of an institution in a result, in characters. */
const MAX_TEXT = 4_000;

export interface UntrustedOptions {
  /** Leaves numbers as they are. */
  readonly reveal: boolean;
}

/** Marks one text. */
export function untrusted(text: string, { reveal }: UntrustedOptions): UntrustedText {
  const shown = reveal ? text : maskNumbers(text);
  const isLong = shown.length > MAX_TEXT;
  return { untrusted_text: isLong ? `${shown.slice(0, MAX_TEXT)}…` : shown };
}

/**
 * A copy of a result in which every text that the schema marks, and every text that it does not know, is
 * `{untrusted_text}`.
 */
export function markUntrusted(
  value: unknown,
  schema: JsonSchema | undefined,
  options: UntrustedOptions,
): unknown {
  if (typeof value === 'string') {
    const isKnown = schema !== undefined && schema['x-untrusted-text'] !== true;
    return isKnown ? value : untrusted(value, options);
  }
  if (Array.isArray(value)) {
    return value.map((item) => markUntrusted(item, partOf(schema?.items), options));
  }
  if (!isJsonObject(value)) return value;
  const properties = isJsonObject(schema?.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const known = Object.hasOwn(properties, name) ? partOf(properties[name]) : undefined;
      return [name, markUntrusted(part, known, options)];
    }),
  );
}

function partOf(schema: unknown): JsonSchema | undefined {
  return isJsonObject(schema) ? schema : undefined;
}
