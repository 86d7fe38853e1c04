import { usageError } from '../cli-error.ts';
import type { Texts } from '../texts/ko.ts';

/** `name=value`. @throws usage error without a name or `=` */
export function parsePair(text: string, texts: Texts): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(texts.input.pair(text));
  return [text.slice(0, at), text.slice(at + 1)];
}
