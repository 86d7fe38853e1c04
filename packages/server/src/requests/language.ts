import type { Language } from '@changgu/contract/language';

export type { Language };

/** The language of messages for people: Korean unless the caller prefers English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'ko';
  let best: { language: Language; quality: number } = { language: 'ko', quality: 0 };
  for (const range of acceptLanguage.split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const language = languageOfTag(tag.trim());
    const quality = qualityOf(parameters);
    if (language !== null && quality > best.quality) best = { language, quality };
  }
  return best.language;
}

function languageOfTag(tag: string): Language | null {
  const primary = tag.split('-')[0];
  return primary === 'ko' || primary === 'en' ? primary : null;
}

function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.map((each) => each.trim()).find((each) => each.startsWith('q='));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return Number.isFinite(value) ? value : 0;
}
