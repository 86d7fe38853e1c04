import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import { Command, Option } from 'commander';
import { parseId } from './arguments.ts';
import { COMMAND_ACTOR as actor, DATA_DIR, print, withCore } from './with-core.ts';

interface IssueOptions {
  readonly org: number;
  readonly env: EnvScope;
  readonly label: string;
  readonly dataDir?: string;
}

/** x-api-keys, which are issued by command. */
export function apiKeyCommand(): Command {
  const apiKey = new Command('api-key').description('Manage legacy API keys (x-api-key)');
  apiKey
    .command('issue')
    .description('Issue a key for one organization and one environment; it is shown only once')
    .requiredOption('--org <organization_id>', 'id of the organization', parseId)
    .addOption(new Option('--env <env_scope>').choices(ENV_SCOPES).makeOptionMandatory())
    .option('--label <label>', 'purpose of the key', 'x-api-key')
    .option(...DATA_DIR)
    .action((options: IssueOptions) =>
      withCore(options, async ({ core: { store } }) => {
        const { issueLegacyApiKey } = await import('../principals/legacy-keys.ts');
        const { org: organization_id, env: env_scope, label } = options;
        print(await issueLegacyApiKey(store, { organization_id, env_scope, label }, actor));
      }),
    );
  apiKey
    .command('list')
    .description('List the keys of an organization, without the keys themselves')
    .requiredOption('--org <organization_id>', 'id of the organization', parseId)
    .option(...DATA_DIR)
    .action((options: { org: number; dataDir?: string }) =>
      withCore(options, async ({ core: { store } }) => {
        const { listLegacyApiKeys } = await import('../principals/legacy-keys.ts');
        for (const item of (await listLegacyApiKeys(store, options.org)).items) print(item);
      }),
    );
  apiKey
    .command('revoke')
    .description('Revoke a key at once')
    .argument('<key_id>')
    .option(...DATA_DIR)
    .action((id: string, options: { dataDir?: string }) =>
      withCore(options, async ({ core: { store } }) => {
        const { revokeLegacyApiKey } = await import('../principals/legacy-keys.ts');
        print(await revokeLegacyApiKey(store, id, actor));
      }),
    );
  return apiKey;
}
