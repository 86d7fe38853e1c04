import type { HelpConfiguration } from '@commander-js/extra-typings';
import type { Texts } from '../texts/ko.ts';

/** Help in the language of the run, with columns that line up in Korean. */
export function helpSettings({ help }: Texts): HelpConfiguration {
  const titles: Readonly<Record<string, string>> = help.titles;
  return {
    displayWidth: helpWidth,
    showGlobalOptions: true,
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

/**
 * Columns of our own help texts: two for Hangul and full-width signs. The library that knows every script costs more to
 * load than all of the help.
 */
function helpWidth(text: string): number {
  return (
    text.length +
    (text.match(/[\u1100-\u115f\u3000-\u318f\uac00-\ud7a3\uff01-\uff60]/g)?.length ?? 0)
  );
}
