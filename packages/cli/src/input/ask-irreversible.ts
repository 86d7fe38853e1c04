import { type CatalogueAction, loadCatalogue, valueText } from '@changgu/sdk/catalogue';
import type { WritingCli } from '../cli.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Asks before an action that cannot be undone, with every value that will be sent. Sandbox performs nothing, so there
 * it does not ask.
 * @throws CliError when the answer is no; usage error without a terminal and without --yes
 */
export async function askIrreversible(
  cli: WritingCli,
  known: CatalogueAction | null,
  id: string,
  params: Params,
): Promise<void> {
  const action = known ?? (await loadCatalogue()).actions.get(id);
  const { envScope } = await cli.settings();
  if (!action?.irreversible || envScope.value === 'sandbox') return;
  const { language, texts, notes, assumeYes, gate } = cli;
  if (!assumeYes && !gate.dryRun) await notes.info(valuesOf(action, params, language).join('\n'));
  await cli.confirm(texts.jobs.irreversibleAsk(action.title[language], envScope.value));
}

function valuesOf(
  { params: { properties } }: CatalogueAction,
  params: Params,
  language: 'ko' | 'en',
): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const value = params[name] ?? schema.default;
    if (value === undefined) return [];
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    const word = valueText(schema, value, language);
    return [`  ${name}: ${shown}${word === null ? '' : ` ${word}`}`];
  });
}
