import type { Cli } from '../../cli.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { runSibling } from './sibling.ts';

/** Runs the MCP bridge with the credentials of this profile. stdout belongs to the protocol. */
export async function start(cli: Cli, args: readonly string[]): Promise<ExitCode | undefined> {
  const { baseUrl, envScope } = await cli.settings();
  const { clientId, clientSecret } = await cli.credentials();
  return runSibling(cli, '@changgu/mcp-bridge', args, {
    CHANGGU_BASE_URL: baseUrl?.value,
    CHANGGU_ENV_SCOPE: envScope.value,
    CHANGGU_CLIENT_ID: clientId,
    CHANGGU_CLIENT_SECRET: clientSecret,
  });
}

/** Enters the bridge in the configuration of a host, which then starts it by `changgu mcp start`. */
export async function install(
  cli: Cli,
  host: string,
  args: readonly string[],
): Promise<ExitCode | undefined> {
  const yes = cli.globals.yes ? ['--yes'] : [];
  return runSibling(cli, '@changgu/mcp-bridge', ['install', host, ...yes, ...args]);
}
