import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import { Command, Option } from 'commander';
import { parseId, parseMoment, parseOverlap } from './arguments.ts';
import { COMMAND_ACTOR as actor, DATA_DIR, type DataDir, print, withCore } from './with-core.ts';

interface IssueOptions extends DataDir {
  readonly org: number;
  readonly env: EnvScope;
  readonly label: string;
  readonly expires?: string;
  readonly address?: string[];
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
    .option('--expires <time>', 'when it ends, such as 2027-03-31T00:00:00+09:00', parseMoment)
    .option('--address <range...>', 'addresses and CIDR ranges that may use it; default: any')
    .option(...DATA_DIR)
    .action((options: IssueOptions) =>
      withCore(options, async ({ core: { store } }) => {
        const { issueLegacyApiKey } = await import('../principals/legacy-keys.ts');
        const request = {
          organization_id: options.org,
          env_scope: options.env,
          label: options.label,
          expires_at: options.expires ?? null,
          allowed_addresses: options.address ?? null,
        };
        print(await issueLegacyApiKey(store, request, actor));
      }),
    );
  declareList(apiKey);
  declareRotate(apiKey);
  declareRevoke(apiKey);
  return apiKey;
}

function declareList(apiKey: Command): void {
  apiKey
    .command('list')
    .description('List the keys of an organization, without the keys themselves')
    .requiredOption('--org <organization_id>', 'id of the organization', parseId)
    .option(...DATA_DIR)
    .action((options: DataDir & { org: number }) =>
      withCore(options, async ({ core: { store } }) => {
        const { listLegacyApiKeys } = await import('../principals/legacy-keys.ts');
        await store.organizations.requireKnown(options.org);
        for (const item of (await listLegacyApiKeys(store, options.org)).items) print(item);
      }),
    );
}

function declareRotate(apiKey: Command): void {
  apiKey
    .command('rotate')
    .description(
      'Replace a key; the new one is shown only once, the old one still works for a while',
    )
    .argument('<key_id>')
    .option('--overlap <hours>', 'how long the old key still works', parseOverlap, 24)
    .option(...DATA_DIR)
    .action((id: string, options: DataDir & { overlap: number }) =>
      withCore(options, async ({ core: { store } }) => {
        const { rotateLegacyApiKey } = await import('../principals/legacy-keys.ts');
        print(await rotateLegacyApiKey(store, id, options.overlap, actor));
      }),
    );
}

function declareRevoke(apiKey: Command): void {
  apiKey
    .command('revoke')
    .description('Revoke a key at once')
    .argument('<key_id>')
    .option(...DATA_DIR)
    .action((id: string, options: DataDir) =>
      withCore(options, async ({ core: { store } }) => {
        const { revokeLegacyApiKey } = await import('../principals/legacy-keys.ts');
        print(await revokeLegacyApiKey(store, id, actor));
      }),
    );
}
