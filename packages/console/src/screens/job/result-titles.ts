import { resultHeadingsKo } from '@changgu/contract/result-headings-ko';
import { language } from '../../app/preferences.ts';

/** What people read for names on the wire, in their order; names that would read the same are told apart. */
export function titlesOf(names: readonly string[]): readonly string[] {
  const titles = names.map(titleOf);
  return names.map((name, index) => {
    const title = titles[index] ?? name;
    const isShared = titles.filter((other) => other === title).length > 1;
    return isShared ? `${title} (${name})` : title;
  });
}

function titleOf(name: string): string {
  const isKnown = language.value === 'ko' && Object.hasOwn(resultHeadingsKo, name);
  return (isKnown ? resultHeadingsKo[name] : undefined) ?? name.replaceAll('_', ' ');
}
