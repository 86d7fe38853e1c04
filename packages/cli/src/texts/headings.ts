import type { Language } from '../language.ts';

type Titles = Readonly<Record<string, string>>;

/** What columns are called, by their names on the wire. */
export interface Headings {
  /** Of what this service says. */
  readonly own: Titles;
  /** Of what an institution's result contains; in English, its names say it. */
  readonly results: Titles;
}

/** Apart from the other texts: only a table needs them, and there are hundreds. */
export async function headingsIn(language: Language): Promise<Headings> {
  if (language === 'en') {
    return { own: (await import('./headings-en.ts')).headingsEn, results: {} };
  }
  const { headingsKo } = await import('./headings-ko.ts');
  const { resultHeadingsKo } = await import('@changgu/contract/result-headings-ko');
  return { own: headingsKo, results: resultHeadingsKo };
}
