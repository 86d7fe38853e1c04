import { resultHeadingsKo } from '@changgu/contract/result-headings-ko';
import { visibleText } from '../../app/visible-text.ts';
import { maskedText } from './masked.ts';

/** The rows of a spreadsheet, masked as the fields are whose headings stand above. */
export function maskedSheet(rows: readonly (readonly string[])[]): string[][] {
  const names: (string | undefined)[] = [];
  return rows.map((cells) =>
    cells.map((text, column) => {
      names[column] = nameOf(text) ?? names[column];
      return visibleText(maskedText(names[column] ?? '', text));
    }),
  );
}

function nameOf(heading: string): string | undefined {
  return Object.keys(resultHeadingsKo).find((name) => resultHeadingsKo[name] === heading);
}
