import { CliError } from '../../cli-error.ts';
import { writes } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { checkKept } from './check-kept.ts';
import { runSibling } from './sibling.ts';

/** Runs the MCP bridge with the credentials of this profile. stdout belongs to the protocol. */
export const start = writes<[args: readonly string[]]>('nothing', async (cli, args) => {
  const { baseUrl, envScope } = await cli.settings();
  const { clientId, clientSecret, tokenIsClient } = await cli.credentials();
  if (tokenIsClient) {
    // The bridge outlives a token and cannot renew one.
    const { keyNeeded } = cli.texts.webLogin;
    throw new CliError('KEY_NEEDED', keyNeeded, EXIT.forbidden, ['changgu login']);
  }
  return runSibling(cli, '@changgu/mcp-bridge', args, {
    CHANGGU_BASE_URL: baseUrl?.value,
    CHANGGU_ENV_SCOPE: envScope.value,
    CHANGGU_CLIENT_ID: clientId,
    CHANGGU_CLIENT_SECRET: clientSecret,
  });
});

/** Adds the bridge to a host's configuration; the host then starts it with `changgu mcp start`. */
export const install = writes<[host: string, args: readonly string[]]>(
  'nothing',
  async (cli, host, args) => {
    await checkKept(cli, host);
    const yes = cli.assumeYes ? ['--yes'] : [];
    // The host starts it later, when nothing from this run selects the profile.
    const { profile } = await cli.settings();
    const chosen = profile.source === 'default' ? [] : ['--profile', profile.value];
    const all = ['install', host, ...yes, ...chosen, ...args];
    // The bridge asks where it reads from a terminal.
    return runSibling(cli, '@changgu/mcp-bridge', all, {}, cli.interactive ? 'inherit' : 'ignore');
  },
);
