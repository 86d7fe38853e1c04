import { type Language, terminalLanguage } from '@changgu/contract/language';
import type { Io } from './io.ts';
import type { Texts } from './texts/ko.ts';

export type { Language };

/** A text in both languages. */
export interface Text {
  readonly ko: string;
  readonly en: string;
}

/** `--lang`, then the locale of the terminal. */
export function chooseLanguage(argv: readonly string[], env: Io['env']): Language {
  const asked = optionValue(argv, '--lang');
  if (asked === 'ko' || asked === 'en') return asked;
  return terminalLanguage(env);
}

/** Loads one language: making the texts of both is a good part of a start. */
export async function textsOf(language: Language): Promise<Texts> {
  return language === 'ko'
    ? (await import('./texts/ko.ts')).ko
    : (await import('./texts/en.ts')).en;
}

/** Read before the real parsing: the texts of the parser depend on it. */
export function optionValue(argv: readonly string[], name: string): string | undefined {
  const joined = argv.find((word) => word.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const at = argv.indexOf(name);
  return at === -1 ? undefined : argv[at + 1];
}
