import { Command } from 'commander';
import { parseId } from './arguments.ts';
import { COMMAND_ACTOR as actor, DATA_DIR, type DataDir, print, withCore } from './with-core.ts';

interface DomainOptions extends DataDir {
  readonly provider: string;
  readonly org: number;
  readonly domain: string;
}

/** For whom the identity providers of the configuration may vouch. */
export function identityProviderCommand(): Command {
  const command = new Command('identity-provider').description(
    'Manage the email domains that may log in at an identity provider',
  );
  withDomain(command.command('allow'))
    .description(
      'Allow people with addresses of a domain to log in to an organization at a provider',
    )
    .action((options: DomainOptions) =>
      withCore(options, async ({ core, config }) => {
        const { assertConfigured } = await import('../config/assert-configured.ts');
        assertConfigured(config.identityProviders, options.provider);
        const allowed = domainOf(options);
        await core.store.loginDomains.allow({ ...allowed, actor });
        print({ ...shown(allowed), allowed: true });
      }),
    );
  withDomain(command.command('disallow'))
    .description('No longer allow it, and end the sessions that such logins opened')
    .action((options: DomainOptions) =>
      withCore(options, async ({ core }) => {
        const disallowed = domainOf(options);
        await core.store.loginDomains.disallow({ ...disallowed, actor });
        print({ ...shown(disallowed), allowed: false });
      }),
    );
  declareList(command);
  declareUnpin(command);
  return command;
}

function withDomain(command: Command): Command {
  return command
    .requiredOption('--provider <name>', 'name of the provider in CHANGGU_CONFIG')
    .requiredOption('--org <organization_id>', 'id of the organization', parseId)
    .requiredOption('--domain <domain>', 'part of the address after the @')
    .option(...DATA_DIR);
}

function domainOf({ org, provider, domain }: DomainOptions) {
  return { organizationId: org, provider, domain: domain.trim().toLowerCase() };
}

function shown({ organizationId, provider, domain }: ReturnType<typeof domainOf>) {
  return { organization_id: organizationId, provider, domain };
}

function declareList(command: Command): void {
  command
    .command('list')
    .description('List the allowed domains of every provider')
    .option(...DATA_DIR)
    .action((options: DataDir) =>
      withCore(options, async ({ core }) => {
        for (const each of await core.store.loginDomains.list()) print(shown(each));
      }),
    );
}

function declareUnpin(command: Command): void {
  command
    .command('unpin')
    .description('Let a person log in with a password again, and end their sessions')
    .argument('<email>')
    .option(...DATA_DIR)
    .action((email: string, options: DataDir) =>
      withCore(options, async ({ core }) => {
        const { normalizeEmail } = await import('../rules/identity/email.ts');
        await core.store.identities.unpin({ email: normalizeEmail(email), actor });
        print({ email, unpinned: true });
      }),
    );
}
