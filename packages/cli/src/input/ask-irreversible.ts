import { type CatalogueAction, loadCatalogue, valueText } from '@changgu/sdk/catalogue';
import type { WritingCli } from '../cli.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Asks before an action that cannot be undone, with every value that will be sent. Sandbox performs nothing, so there
 * it does not ask. An action of which nothing is known may be one of these.
 * @throws CliError when the answer is no; usage error without a terminal and without --yes
 */
export async function askIrreversible(
  cli: WritingCli,
  known: CatalogueAction | null,
  id: string,
  params: Params,
): Promise<void> {
  const action = known ?? (await loadCatalogue()).actions.get(id) ?? null;
  const { envScope } = await cli.settings();
  if (action?.irreversible === false || envScope.value === 'sandbox') return;
  const { language, texts, notes, assumeYes, gate, interactive } = cli;
  const values = valuesOf(action?.params.properties ?? {}, params, language);
  if (interactive && !assumeYes && !gate.dryRun) await notes.beforeQuestion(values.join('\n'));
  await cli.confirm(async () =>
    action
      ? texts.jobs.irreversibleAsk(action.title[language], envScope.value)
      : texts.jobs.unknownAsk(id, envScope.value),
  );
}

/** Those of the schema in its order, then those that it does not name. */
function valuesOf(
  properties: CatalogueAction['params']['properties'],
  params: Params,
  language: 'ko' | 'en',
): readonly string[] {
  const names = new Set([...Object.keys(properties), ...Object.keys(params)]);
  return [...names].flatMap((name) => {
    const schema = properties[name];
    const value = params[name] ?? schema?.default;
    if (value === undefined) return [];
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    const word = schema ? valueText(schema, value, language) : null;
    return [`  ${name}: ${shown}${word === null ? '' : ` ${word}`}`];
  });
}
