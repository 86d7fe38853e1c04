import { OPAQUE_NAMES } from '@changgu/contract';
import { type FieldViolation, HOLDS_NUL } from '../rules/service-error.ts';
import type { Location } from './violations.ts';

/** Kept as JSON, which escapes every character; so are the names of encrypted fields where they need it. */
const OPAQUE: ReadonlySet<string> = new Set(OPAQUE_NAMES);

const NOT_UNICODE = { msg: 'Strings should be valid Unicode', type: 'string_unicode' } as const;

/**
 * Texts that a database does not keep as they are, so that both answer the same: PostgreSQL refuses a NUL, and half a
 * surrogate pair becomes another character.
 */
export function unusableTexts(value: unknown, loc: Location): FieldViolation[] {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) return [{ loc, ...HOLDS_NUL }];
    return value.isWellFormed() ? [] : [{ loc, ...NOT_UNICODE }];
  }
  if (Array.isArray(value)) return value.flatMap((each, n) => unusableTexts(each, [...loc, n]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    OPAQUE.has(name) ? [] : unusableTexts(each, [...loc, name]),
  );
}
