import { type Language, language } from './preferences.ts';

/** A screen's texts in both languages; read them inside a component, so that they follow the language switch. */
export function texts<Words>(both: Readonly<Record<Language, Words>>): () => Words {
  return () => both[language.value];
}
