import { isSchema, type JsonSchema } from '../json-schema.ts';
import type { Language } from '../language.ts';

/**
 * What a param is for, from `x-description-ko` or `description`. An institution of a team's own may have described it
 * in one language only, which is then the answer; empty when it has described it in none.
 */
export function paramText(schema: JsonSchema, language: Language): string {
  const { description: en, 'x-description-ko': ko } = schema;
  const texts = language === 'ko' ? [ko, en] : [en, ko];
  return texts.find((text) => typeof text === 'string') ?? '';
}

/** What a value of a param is called, from `x-texts`; null for a value without a name. */
export function valueText(schema: JsonSchema, value: unknown, language: Language): string | null {
  const texts = schema['x-texts'];
  const text = isSchema(texts) ? texts[String(value)] : undefined;
  const word = isSchema(text) ? text[language] : undefined;
  return typeof word === 'string' ? word : null;
}
