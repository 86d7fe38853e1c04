import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import type { RunState } from '../../journal/run-state.ts';

/**
 * Keys and jobs belong to one service and environment: elsewhere the same round would create new jobs, and no job of
 * the run is found.
 * @throws usage error
 */
export async function checkHome(cli: Cli, { header }: RunState): Promise<void> {
  const { baseUrl, envScope } = await cli.settings();
  const isThere = URL.parse(baseUrl?.value ?? '')?.href === URL.parse(header.base_url)?.href;
  if (isThere && envScope.value === header.env_scope) return;
  throw usageError(
    cli.texts.bulk.otherService(header.base_url, header.env_scope),
    `--base-url ${header.base_url} --env-scope ${header.env_scope}`,
  );
}
