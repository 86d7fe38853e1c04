import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { locate } from '../../config/locations.ts';
import type { Settings, Sourced } from '../../config/settings.ts';
import { shellWord } from '../../output/shell-word.ts';

/** They start servers where their configuration is, so that the project's file applies there, too. */
const IN_PROJECT: ReadonlySet<string> = new Set(['claude-code', 'vscode']);

/**
 * A host starts the bridge with a profile alone, some hosts where the project's file applies. What else this run was
 * told would be lost, and the agent would act in another environment, or for another organization.
 * @throws usage error for a setting that differs from the later ones
 */
export async function checkKept(cli: Cli, host: string): Promise<void> {
  const { texts, io, locations } = cli;
  const settings = await cli.settings();
  if (locations.configFile !== locate(io, undefined).configFile) {
    throw usageError(texts.programs.notKept('--config'));
  }
  const { stored, baseUrl, clientId, envScope } = settings;
  const project = IN_PROJECT.has(host) ? settings.project : {};
  if (
    project.env_scope &&
    applies(envScope, settings, host) &&
    !isSame(envScope.value, project.env_scope)
  ) {
    // A profile cannot help: the project's file beats it.
    throw usageError(texts.programs.notKeptInProject(`env_scope=${envScope.value}`));
  }
  const kept = [
    {
      name: 'client_id',
      flag: '--client-id',
      run: clientId,
      // Where the profile has no key, the host's variables must have it.
      later: stored?.client_id ?? clientId?.value,
    },
    { name: 'base_url', flag: '--base-url', run: baseUrl, later: stored?.base_url },
    {
      name: 'env_scope',
      flag: '--env-scope',
      run: envScope,
      later: project.env_scope || stored?.env_scope || 'sandbox',
    },
  ];
  const lost = kept.flatMap(({ run, later, ...names }) =>
    run && applies(run, settings, host) && !isSame(run.value, later)
      ? [{ ...names, value: run.value }]
      : [],
  );
  if (lost.length === 0) return;
  const flags = lost.map(({ flag, value }) => `${flag} ${shellWord(value)}`);
  throw usageError(
    texts.programs.notKept(lost.map(({ name, value }) => `${name}=${value}`).join(', ')),
    ['changgu login --profile <name>', ...flags].join(' '),
  );
}

/** Whether only this run has it. Without a profile, all settings may come from variables, also the host's. */
function applies({ source }: Sourced<string>, { stored }: Settings, host: string): boolean {
  if (source === 'project') return !IN_PROJECT.has(host);
  return source === 'flag' || (source === 'environment' && stored !== null);
}

function isSame(one: string, other: string | undefined): boolean {
  return one === other || (URL.parse(one)?.href ?? one) === (URL.parse(other ?? '')?.href ?? other);
}
