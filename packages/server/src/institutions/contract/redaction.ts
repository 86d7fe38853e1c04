import { createHmac, randomBytes } from 'node:crypto';
import { maskAccountNumber } from '../../rules/identity/account-number.ts';
import { writtenAs } from './case-secrets.ts';

/** Removes secrets and personal data from texts. The same value always gets the same replacement. */
export interface Redactor {
  /** From now on this value is replaced wherever it occurs. */
  hide(value: string): void;
  /** The replacement of a value, in the same format, so that pages and connectors still accept it. */
  standIn(value: string): string;
  text(text: string): string;
  /** Replaces every registered value inside a text. */
  value<Value>(value: Value): Value;
}

/** Personal, account, business, card and telephone numbers and email addresses, wherever they occur. */
const PERSONAL = [
  /(?<!\d)\d{6}-?[1-8]\d{6}(?!\d)/g,
  /(?<!\d)01\d-?\d{3,4}-?\d{4}(?!\d)/g,
  // In three groups or more, but no day.
  /(?<![\d-])(?!(?:19|20)\d\d-\d{1,2}-\d{1,2}(?!\d))(?=(?:-?\d){8})\d{2,6}(?:-\d{1,8}){2,4}(?![\d-])/g,
  // Without groups, but no day or time: portals print large amounts with commas.
  /(?<![\d,.])(?!(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))\d{10,16}(?![\d,.]\d|\d)/g,
  /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g,
];
/** Names that end so, in JSON, addresses, forms and scripts, and their values; names of functions have no digit. */
const TOKEN =
  /(?:token|ticket)["']?(?:\s*[:=]\s*|\s+(?:value|content)\s*=\s*)["']?((?=[\w.~+/=-]*\d)[\w.~+/=-]{8,})/gi;
/** A mask of fewer digits might be that of another number. */
const SHORTEST_MASKED = 9;
/** Session ids that servers write into addresses. */
const SESSION_IN_URL = /(;jsessionid=)[\w.!-]+/gi;

export function createRedactor(key: Uint8Array = randomBytes(32)): Redactor {
  const hidden = new Map<string, RegExp | null>();

  const standIn = (value: string): string => {
    const stream = createHmac('sha512', key).update(value).digest();
    return Array.from(value)
      .map((character, index) => likeness(character, stream[index % 64] ?? 0))
      .join('');
  };

  function hide(value: string): void {
    if (value !== '') hidden.set(value, digitsOf(value));
  }

  function text(given: string): string {
    for (const [found] of PERSONAL.flatMap((pattern) => [...given.matchAll(pattern)])) {
      hide(/@/.test(found) ? found : found.replaceAll('-', ''));
    }
    for (const [, token = ''] of given.matchAll(TOKEN)) hide(token);
    let result = given.replaceAll(SESSION_IN_URL, '$1redacted');
    // The longest first, because one secret may contain another.
    const longestFirst = [...hidden].toSorted(([a], [b]) => b.length - a.length);
    for (const [value, digits] of longestFirst) {
      if (digits !== null) {
        result = result.replaceAll(digits, (found) => inForm(found, standIn(value)));
        // Results show its mask, and those of a replay the mask of its stand-in.
        const hasMask = value.length >= SHORTEST_MASKED && result.includes('*');
        if (hasMask) {
          result = result.replaceAll(maskAccountNumber(value), maskAccountNumber(standIn(value)));
        }
        continue;
      }
      const other = standIn(value);
      const [forms, others] = [writtenAs(value), writtenAs(other)];
      forms.forEach((form, index) => {
        result = result.replaceAll(form, others[index] ?? other);
      });
    }
    return result;
  }

  return {
    hide,
    standIn,
    text,
    value: (value) =>
      JSON.parse(JSON.stringify(value), (_, each) =>
        typeof each === 'string' ? text(each) : each,
      ),
  };
}

/** A number may be printed with hyphens; a short one is a secret only when it stands alone. */
function digitsOf(value: string): RegExp | null {
  if (!/^\d+$/.test(value)) return null;
  const spaced = value.split('').join('-?');
  return value.length > 5
    ? new RegExp(spaced, 'g')
    : new RegExp(`(?<![\\d,.-])${value}(?![\\d,.-])`, 'g');
}

/** The digits of `digits` in the format in which others were found. */
function inForm(found: string, digits: string): string {
  let next = 0;
  return found.replaceAll(/\d/g, () => digits.charAt(next++) || '0');
}

/** Replaces digits by digits and letters by letters; other characters stay. A leading digit is never 0. */
function likeness(character: string, byte: number): string {
  if (/\d/.test(character)) return String(1 + (byte % 9));
  if (/[a-z]/.test(character)) return String.fromCharCode(97 + (byte % 26));
  if (/[A-Z]/.test(character)) return String.fromCharCode(65 + (byte % 26));
  if (/[가-힣]/.test(character)) return String.fromCharCode(0xac00 + (byte % 588));
  return character;
}
