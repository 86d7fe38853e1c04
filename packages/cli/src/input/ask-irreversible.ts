import { ApiError } from '@changgu/sdk';
import { type CatalogueAction, loadCatalogue, valueText } from '@changgu/sdk/catalogue';
import type { WritingCli } from '../cli.ts';
import type { Language } from '../language.ts';

type Params = Readonly<Record<string, unknown>>;

interface Act {
  readonly id: string;
  /** Null where nothing is known of it. */
  readonly action: CatalogueAction | null;
  readonly params: Params;
  /** On whose behalf, and for which accounts; asked only where the person is. */
  readonly target: () => Promise<Target>;
}

export interface Target {
  readonly accountLinkId: string | null | undefined;
  /** Of a run over accounts, which without a link is over those of all links. */
  readonly accounts?: readonly string[] | 'all' | undefined;
}

/**
 * Asks before an action that cannot be undone, with every value that will be sent. Sandbox performs nothing, so there
 * it does not ask. An action of which nothing is known may be one of these.
 * @throws CliError when the answer is no; usage error without a terminal and without --yes
 */
export async function askIrreversible(
  cli: WritingCli,
  { id, action: known, params, target }: Act,
): Promise<void> {
  const action = known ?? (await loadCatalogue()).actions.get(id) ?? null;
  const { envScope } = await cli.settings();
  if (action?.irreversible === false || envScope.value === 'sandbox') return;
  const { language, texts, notes } = cli;
  await cli.confirm(async () => {
    const values = valuesOf(action?.params.properties ?? {}, params, language);
    const lines = [...values, ...(await targetLines(cli, await target()))];
    await notes.beforeQuestion(lines.join('\n'));
    return action
      ? texts.jobs.irreversibleAsk(action.title[language], envScope.value)
      : texts.jobs.unknownAsk(id, envScope.value);
  });
}

async function targetLines(
  cli: WritingCli,
  { accountLinkId: link, accounts }: Target,
): Promise<readonly string[]> {
  const { allLinks, allAccounts } = cli.texts.jobs;
  const owner = link ? [link, await ownerOf(cli, link)].join(' ').trim() : null;
  const whose = owner ?? (accounts ? allLinks : null);
  const lines = whose === null ? [] : [`  account_link_id: ${whose}`];
  if (!accounts) return lines;
  const which = accounts === 'all' ? allAccounts : JSON.stringify(accounts);
  return [...lines, `  bank_account_credential_ids: ${which}`];
}

/** Some keys may not read links. */
async function ownerOf(cli: WritingCli, link: string): Promise<string> {
  const { credentials } = await cli.client();
  try {
    const { businessName, bizNumber, displayLabel } = await credentials.get(link, cli.call);
    const named = [businessName, bizNumber].filter(Boolean);
    return named.length > 0 ? named.join(', ') : (displayLabel ?? '');
  } catch (error) {
    if (error instanceof ApiError) return '';
    throw error;
  }
}

/** Those of the schema in its order, then those that it does not name. */
function valuesOf(
  properties: CatalogueAction['params']['properties'],
  params: Params,
  language: Language,
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
