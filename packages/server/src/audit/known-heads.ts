import { isJsonObject } from '@changgu/contract';
import type { NamedHead } from './verify-audit.ts';

/**
 * The heads in the line that an earlier `audit verify` printed. Anything else is refused: comparing with nothing would
 * find every chain whole. So is the line of a run that found a break, because its heads are not all there are.
 * @throws SyntaxError with what is wrong
 */
export function readKnownHeads(text: string): readonly NamedHead[] {
  const printed = parsedOf(text);
  if (!isJsonObject(printed) || !('heads' in printed)) throw new SyntaxError('It has no "heads".');
  const { heads, broken } = printed;
  if (broken !== null) throw new SyntaxError('It is of a run that found a broken chain.');
  if (!Array.isArray(heads) || heads.length === 0 || !heads.every(isHead)) {
    throw new SyntaxError('Its "heads" are not a list of scope, number and hash.');
  }
  return heads;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError('It is not one line of JSON.');
  }
}

function isHead(value: unknown): value is NamedHead {
  if (!isJsonObject(value)) return false;
  const { scope, number, hash } = value;
  return (
    typeof scope === 'string' &&
    Number.isSafeInteger(number) &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash)
  );
}
