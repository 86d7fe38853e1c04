import { type Language, language } from './preferences.ts';

/** The words of one screen in both languages; read them inside a component, so that they follow the switch. */
export function texts<Words>(both: Readonly<Record<Language, Words>>): () => Words {
  return () => both[language.value];
}
