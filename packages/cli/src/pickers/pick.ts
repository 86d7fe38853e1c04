import { searchForm } from '@changgu/sdk/catalogue';
import { AutocompletePrompt, isCancel } from '@clack/core';
import type { Cli } from '../cli.ts';
import { ask, canceled } from '../input/prompt.ts';
import type { Choice } from '../output/output.ts';
import { fit } from '../output/width.ts';
import type { Choices } from './sources.ts';

/** Lines that the list takes at most, so that question and answer stay on one screen. */
const MAX_LINES = 10;
/** Marker and guide before each line. */
const MARGIN = 4;

/** Asks for one of several things, shown as their list shows them; what is typed narrows the list. */
export async function pick(
  cli: Cli,
  what: string,
  { rows, shape, more }: Choices,
): Promise<string> {
  const width = (cli.io.stderr.columns ?? 80) - 1;
  const options = [...(await cli.output.choices(rows, shape, width - MARGIN))];
  const answer = await ask(cli, (streams) =>
    new AutocompletePrompt<Choice>({
      options,
      filter: (typed, { label }) => searchForm(label).includes(searchForm(typed)),
      ...streams,
      render() {
        const lines = draw(cli, what, this);
        const seeMore =
          more === undefined || this.state !== 'active' ? [] : [cli.texts.pick.more(more)];
        return [...lines, ...seeMore].map((line) => fit(line, width)).join('\n');
      },
    }).prompt(),
  );
  if (isCancel(answer) || typeof answer !== 'string') throw canceled(cli);
  return answer;
}

type Drawn = Pick<
  AutocompletePrompt<Choice>,
  'state' | 'cursor' | 'filteredOptions' | 'userInput' | 'options'
>;

function draw(cli: Cli, what: string, prompt: Drawn): string[] {
  const { texts, styleOfNotes: style } = cli;
  const { state, cursor, filteredOptions: found, userInput } = prompt;
  if (state === 'submit' || state === 'cancel') return [`${style('dim', '?')} ${what}`];
  const from = Math.max(0, Math.min(cursor - MAX_LINES + 3, found.length - MAX_LINES));
  const shown = found.slice(from, from + MAX_LINES).map(({ label }, index) => {
    const chosen = from + index === cursor;
    return chosen ? `  ${style('cyan', '›')} ${style('cyan', label)}` : `    ${label}`;
  });
  return [
    `${style('cyan', '?')} ${style('bold', what)}  ${userInput}${style('inverse', ' ')}`,
    ...(shown.length === 0 ? [`    ${texts.pick.noMatch}`] : shown),
    style('dim', `    ${texts.pick.keys(found.length, prompt.options.length)}`),
  ];
}
