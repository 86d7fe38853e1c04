import { usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';

/** `name=value`. @throws usage error without a name or `=` */
export function parsePair(text: string, texts: Texts): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(texts.input.pair(text));
  return [text.slice(0, at), text.slice(at + 1)];
}

/** `name=value` for each. @throws usage error also for a name that comes twice */
export function parsePairs(
  given: readonly string[] | undefined,
  texts: Texts,
  hint?: (name: string) => readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const pairs = (given ?? []).map((text) => parsePair(text, texts));
  const names = pairs.map(([name]) => name);
  eachOnce(names, texts, hint);
  return pairs;
}

/** Of a name that comes twice, one value would be lost. @throws usage error */
export function eachOnce(
  names: readonly string[],
  texts: Texts,
  hint: (name: string) => readonly string[] = () => [],
): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw usageError(texts.input.givenTwice(twice), ...hint(twice));
}
