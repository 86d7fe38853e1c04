import type { HelpConfiguration } from '@commander-js/extra-typings';
import { widthOf } from '../output/width.ts';
import type { Texts } from '../texts/ko.ts';

/** Help in the language of the run, with columns that line up in Korean. */
export function helpSettings({ help }: Texts): HelpConfiguration {
  const titles: Readonly<Record<string, string>> = help.titles;
  return {
    displayWidth: widthOf,
    styleTitle: (title) => titles[title] ?? title,
    optionDescription({ description, argChoices, defaultValue, negate }) {
      const notes = [
        ...(argChoices ? [argChoices.join(' | ')] : []),
        ...(defaultValue === undefined || negate || typeof defaultValue === 'boolean'
          ? []
          : [`${help.default}: ${String(defaultValue)}`]),
      ];
      return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
    },
    argumentDescription: ({ description, argChoices }) =>
      argChoices ? `${description} (${argChoices.join(' | ')})` : description,
  };
}
