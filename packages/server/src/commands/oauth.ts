import { Command } from 'commander';
import { kstTime } from '../rules/kst.ts';
import { COMMAND_ACTOR as actor, DATA_DIR, type DataDir, print, withCore } from './with-core.ts';

interface AddOptions extends DataDir {
  readonly name: string;
  readonly redirectUri?: readonly string[];
  readonly secret?: true;
  readonly introspect?: true;
  readonly device?: true;
  readonly resource?: string;
}

/** Commands for OAuth clients that an operator registers. */
export function oauthCommand(): Command {
  const oauth = new Command('oauth').description('Manage the clients of the authorization server');
  const client = oauth.command('client').description('Register, list and remove clients');
  client
    .command('add')
    .description('Register a client; its secret is printed only once')
    .requiredOption('--name <name>', 'name that people see on the approval page')
    .option('--redirect-uri <uri...>', 'where the client receives its answers')
    .option('--secret', 'the client runs on a server and can keep a secret')
    .option('--introspect', 'the client is a resource server, which may ask about tokens')
    .option(
      '--resource <address>',
      'address of the resource server, for which clients request tokens; implies --introspect',
    )
    .option('--device', 'the client runs where there is no browser')
    .option(...DATA_DIR)
    .action((options: AddOptions) =>
      withCore(options, async ({ core }) => {
        const { addClient } = await import('../oauth/registered-clients.ts');
        const order = {
          name: options.name,
          redirectUris: options.redirectUri ?? [],
          isConfidential: options.secret ?? false,
          mayIntrospect: options.introspect ?? options.resource !== undefined,
          resource: options.resource ?? null,
          device: options.device ?? false,
        };
        print(await addClient(core, order, actor));
      }),
    );
  declareList(client);
  declareRemove(client);
  return oauth;
}

function declareList(client: Command): void {
  client
    .command('list')
    .description('List registered clients')
    .option(...DATA_DIR)
    .action((options: DataDir) =>
      withCore(options, async ({ core }) => {
        for (const each of await core.store.oauthClients.list()) {
          print({
            client_id: each.clientId,
            name: each.name,
            origin: each.origin,
            may_introspect: each.mayIntrospect,
            resource: each.resource,
            created_at: kstTime(each.createdAt),
          });
        }
      }),
    );
}

function declareRemove(client: Command): void {
  client
    .command('remove')
    .description('Remove a client, also one known by its document, and end all its tokens at once')
    .argument('<client_id>')
    .option(...DATA_DIR)
    .action((clientId: string, options: DataDir) =>
      withCore(options, async ({ core }) => {
        const { grants } = await core.store.oauthClients.remove({ clientId, actor });
        print({ client_id: clientId, removed: true, revoked_grants: grants });
      }),
    );
}
