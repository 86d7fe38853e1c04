import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens of what a model reads, by the less favorable of two real tokenizers: they differ most on Korean. */
export function modelTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Math.max(countCl100k(text), countO200k(text));
}
