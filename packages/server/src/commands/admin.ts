import { ORGANIZATION_ROLES, type OrganizationRole } from '@changgu/contract';
import type { SubscriptionStatus } from '@changgu/contract/schemas';
import { Argument, Command, Option } from 'commander';
import { normalizeEmail } from '../rules/identity/email.ts';
import { parseId, parseLifetime } from './arguments.ts';
import { COMMAND_ACTOR as actor, DATA_DIR, type DataDir, print, withCore } from './with-core.ts';

/** Commands that operators run on the machine itself. Every one is written to the audit log. */
export function adminCommand(): Command {
  const admin = new Command('admin').description('Manage operators, requests, plans and members');
  addOperators(admin);
  addDecisions(admin);
  addOrganizations(admin);
  addSwitches(admin);
  addResets(admin);
  return admin;
}

function addOperators(admin: Command): void {
  admin
    .command('create')
    .description('Create an operator')
    .requiredOption('--email <email>')
    .option(...DATA_DIR)
    .action((options: DataDir & { email: string }) =>
      withCore(options, async ({ core }) => {
        const email = await addressOf(options.email);
        const created = await core.store.admins.create({ email, actor });
        print({ admin_id: created.adminId, email: created.email });
      }),
    );
  admin
    .command('token')
    .description('Print a bearer token for an operator')
    .requiredOption('--email <email>')
    .option('--ttl <duration>', 'lifetime, such as 90s, 15m, 1h or 30d', parseLifetime, 3_600)
    .option(...DATA_DIR)
    .action((options: DataDir & { email: string; ttl: number }) =>
      withCore(options, async ({ core }) => {
        const { issueAdminToken } = await import('../principals/admin-token.ts');
        const issued = await issueAdminToken(core, options.email, options.ttl, actor);
        process.stdout.write(`${issued}\n`);
      }),
    );
  admin
    .command('remove')
    .description('Remove an operator and invalidate its tokens at once')
    .requiredOption('--email <email>')
    .option(...DATA_DIR)
    .action((options: DataDir & { email: string }) =>
      withCore(options, async ({ core }) => {
        const email = normalizeEmail(options.email);
        await core.store.admins.remove({ email, actor });
        print({ email, removed: true });
      }),
    );
}

/** In the form that registration demands. @throws ServiceError 422 */
async function addressOf(text: string): Promise<string> {
  const [{ Email }, { shapeCheck }, { invalidShape }] = await Promise.all([
    import('@changgu/contract/schemas'),
    import('../validation/shape-check.ts'),
    import('../rules/service-error.ts'),
  ]);
  const email = normalizeEmail(text);
  const fields = shapeCheck(Email, ['email'])(email);
  if (fields.length > 0) throw invalidShape(fields);
  return email;
}

interface DecisionOptions extends DataDir {
  readonly reject?: true;
  readonly note?: string;
}

const REJECT = ['--reject', 'reject the request instead of approving it'] as const;
const NOTE = ['--note <text>', 'note that is stored with the decision'] as const;

function decisionOf({ reject, note }: DecisionOptions) {
  return { decision: reject ? ('REJECTED' as const) : ('APPROVED' as const), note: note ?? null };
}

function addDecisions(admin: Command): void {
  admin
    .command('requests')
    .description('List requests that wait for a decision')
    .option(...DATA_DIR)
    .action((options: DataDir) =>
      withCore(options, async ({ core: { store } }) => {
        print({
          env_access: await store.envAccess.list({ organizationId: null, status: 'PENDING' }),
          integrators: await store.integrators.list({ organizationId: null, status: 'SUBMITTED' }),
        });
      }),
    );
  admin
    .command('approve-env')
    .description('Approve or reject a request for real_test')
    .argument('<request_id>', 'id of the request', parseId)
    .option(...REJECT)
    .option(...NOTE)
    .option(...DATA_DIR)
    .action((id: number, options: DecisionOptions) =>
      withCore(options, async ({ core: { store }, config }) => {
        const { envAccessSettings } = await import('../rules/organizations/env-access.ts');
        const { decideEnvAccess } = await import('../organizations/env-access-requests.ts');
        const dependencies = { store, settings: envAccessSettings(config.settings) };
        print(await decideEnvAccess(dependencies, id, decisionOf(options), actor));
      }),
    );
  admin
    .command('approve-integrator')
    .description('Approve or reject an integrator application')
    .argument('<application_id>', 'id of the application', parseId)
    .option(...REJECT)
    .option(...NOTE)
    .option(...DATA_DIR)
    .action((id: number, options: DecisionOptions) =>
      withCore(options, async ({ core: { store } }) => {
        const { decideApplication } = await import('../organizations/integrator-applications.ts');
        print(await decideApplication(store, id, decisionOf(options), actor));
      }),
    );
}

function addOrganizations(admin: Command): void {
  admin
    .command('subscribe')
    .description('Subscribe an organization to a plan, or change its subscription')
    .requiredOption('--org <organization_id>', 'id of the organization', parseId)
    .requiredOption('--plan <plan_code>')
    .addOption(
      new Option('--status <status>')
        .choices(['ACTIVE', 'PAUSED', 'CANCELED', 'EXPIRED'])
        .default('ACTIVE'),
    )
    .option(...DATA_DIR)
    .action((options: SubscribeOptions) =>
      withCore(options, async ({ core: { store }, config: { plans } }) => {
        const { setSubscription } = await import('../organizations/administration.ts');
        const change = { plan_code: options.plan, status: options.status };
        print(await setSubscription({ store, plans }, options.org, change, actor));
      }),
    );
  admin
    .command('draft-invoices')
    .description('Draft the usage invoices of a month; safe to repeat')
    .requiredOption('--month <YYYYMM>', 'a past month')
    .option(...DATA_DIR)
    .action((options: DataDir & { month: string }) =>
      withCore(options, async ({ core: { store }, config: { plans } }) => {
        const { draftUsageInvoices } = await import('../billing/draft-usage-invoices.ts');
        const when = { now: await store.clock.now(), actor };
        print(await draftUsageInvoices({ store, plans }, options.month, when));
      }),
    );
  admin
    .command('add-member')
    .description('Add a registered user to an organization, or change the role')
    .requiredOption('--org <organization_id>', 'id of the organization', parseId)
    .requiredOption('--email <email>')
    .addOption(new Option('--role <role>').choices(ORGANIZATION_ROLES).default('MEMBER'))
    .option(...DATA_DIR)
    .action((options: MemberOptions) =>
      withCore(options, async ({ core: { store } }) => {
        const { addMember } = await import('../organizations/administration.ts');
        print(await addMember(store, options.org, options, actor));
      }),
    );
  admin
    .command('audit')
    .description('Print the latest entries of the audit log')
    .option('--org <organization_id>', 'show only this organization', parseId)
    .option('--limit <rows>', 'maximum rows', parseId, 20)
    .option(...DATA_DIR)
    .action((options: DataDir & { org?: number; limit: number }) =>
      withCore(options, async ({ core: { store } }) => {
        const { readAudit } = await import('../audit/read-audit.ts');
        if (options.org !== undefined) await store.organizations.requireKnown(options.org);
        const of = options.org === undefined ? {} : { organization_id: options.org };
        const { items } = await readAudit(store, { ...of, limit: options.limit });
        for (const item of items) print(item);
      }),
    );
}

/** Takes effect with the next request, on every process. */
function addSwitches(admin: Command): void {
  for (const [name, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    admin
      .command(name)
      .description(
        disabled
          ? 'Disable a user, an organization or a key at once'
          : 'Enable what was disabled; sessions stay ended',
      )
      .addArgument(new Argument('<kind>').choices(['user', 'organization', 'key']))
      .argument('<id>', 'email address, id of the organization, or id of the key')
      .option(...DATA_DIR)
      .action((kind: 'user' | 'organization' | 'key', id: string, options: DataDir) =>
        withCore(options, async ({ core: { store } }) => {
          await store.switches.set({
            kind,
            id: kind === 'user' ? normalizeEmail(id) : id.trim(),
            disabled,
            actor,
          });
          print({ [kind]: id, disabled });
        }),
      );
  }
}

/** For who has lost a password or a second factor. */
function addResets(admin: Command): void {
  admin
    .command('reset-link')
    .description('Print a link, valid for an hour, with which a user sets a new password')
    .requiredOption('--email <email>')
    .option('--base-url <url>', 'address of the server; default: CHANGGU_PUBLIC_BASE_URL')
    .option(...DATA_DIR)
    .action((options: DataDir & { email: string; baseUrl?: string }) =>
      withCore(options, async ({ core: { store }, config }) => {
        const publicBaseUrl = options.baseUrl ?? config.publicBaseUrl;
        if (publicBaseUrl === undefined) {
          const { ConfigError } = await import('../config/config-error.ts');
          throw new ConfigError([
            'Set CHANGGU_PUBLIC_BASE_URL or --base-url: the link begins with it.',
          ]);
        }
        const { makeResetLink } = await import('../principals/recover.ts');
        print(await makeResetLink(store, options.email, { publicBaseUrl, operator: actor }));
      }),
    );
  admin
    .command('reset-factor')
    .description('Remove the second factor of a user who has lost it; ends every session')
    .requiredOption('--email <email>')
    .option(...DATA_DIR)
    .action((options: DataDir & { email: string }) =>
      withCore(options, async ({ core: { store } }) => {
        const { ServiceError } = await import('../rules/service-error.ts');
        const email = normalizeEmail(options.email);
        const user = await store.users.find({ email });
        if (user === null)
          throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `account ${email}` });
        const { userId, organizationId } = user;
        await store.factors.reset({ userId, organizationId, actor });
        print({ email, second_factor: false });
      }),
    );
}

interface SubscribeOptions extends DataDir {
  readonly org: number;
  readonly plan: string;
  readonly status: SubscriptionStatus;
}

interface MemberOptions extends DataDir {
  readonly org: number;
  readonly email: string;
  readonly role: OrganizationRole;
}
