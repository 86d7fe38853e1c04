import { type CatalogueInstitution, loadCatalogue } from '@changgu/sdk/catalogue';
import type { Cli } from '../cli.ts';
import { PROFILE_KEYS } from '../config/profile.ts';
import { readOwnInstitutions } from '../input/own-institutions.ts';
import type { Shape } from '../output/shape.ts';

/** The command that lacks an argument, and what it has. */
export interface Lack {
  readonly command: string;
  /** The command above it. */
  readonly group: string;
  readonly argument: string;
  readonly given: readonly string[];
  /** The values that it may have, where they are few. */
  readonly values: readonly string[] | null;
}

/** What one may choose from. */
export interface Choices {
  readonly rows: readonly object[];
  readonly shape: Shape;
  /** The command that lists what is not among them. */
  readonly more?: string;
}

type Source = (cli: Cli, lack: Lack) => Promise<Choices>;

/** So many are read, and no more pages. */
const LIMIT = 50;

/** What each argument is chosen from, by its name; of what is not here, people know the value themselves. */
const SOURCES: Readonly<Record<string, Source>> = {
  job: jobs,
  jobs,
  link: links,
  account: accounts,
  'client-id': keys,
  webhook: webhooks,
  delivery: deliveries,
  user: members,
  invitation: invitations,
  session: sessions,
  factor: factors,
  product: (cli) => page(cli, '/v1/products', 'client', ['id', 'name', 'usage_tokens']),
  invoice: (cli) =>
    page(cli, '/v1/billing/invoices', 'console', ['invoice_id', 'status', 'total_amount_minor']),
  action: actions,
  provider: institutions,
};

/** Null where there is nothing that this program could offer. */
export async function choicesFor(cli: Cli, lack: Lack): Promise<Choices | null> {
  const { argument, group, values } = lack;
  if (values !== null) return named(values);
  if (group === 'profiles' && (argument === 'name' || argument === 'from')) return profiles(cli);
  if (group === 'config' && argument === 'name') return named(PROFILE_KEYS);
  if (argument === 'host') return named((await import('../hosts.ts')).HOSTS);
  const source = Object.hasOwn(SOURCES, argument) ? SOURCES[argument] : undefined;
  return source ? source(cli, lack) : null;
}

function shape(...columns: readonly [string, ...string[]]): Shape {
  const [id] = columns;
  return { fields: null, columns, id, whole: ['status', 'masked_account_no'] };
}

function named(values: readonly string[]): Choices {
  return { rows: values.map((name) => ({ name })), shape: shape('name') };
}

const OPEN = ['QUEUED', 'RUNNING'] as const;

async function jobs(cli: Cli, { command, group }: Lack): Promise<Choices> {
  const client = await cli.client();
  const open = ['wait', 'cancel'].includes(command);
  const succeeded = command === 'result' || group === 'artifacts';
  const { items, nextCursor } = await client.jobs.list(
    {
      limit: LIMIT,
      ...(open ? { status: [...OPEN] } : succeeded ? { status: ['SUCCEEDED'] } : {}),
    },
    cli.call,
  );
  return {
    rows: items,
    shape: shape('job_id', 'status', 'action', 'submitted_at'),
    ...(nextCursor === null ? {} : { more: 'changgu jobs list --all' }),
  };
}

async function links(cli: Cli): Promise<Choices> {
  const client = await cli.client('console');
  const { items } = await client.credentials.list({}, cli.call);
  return { rows: items, shape: shape('account_link_id', 'provider', 'status', 'display_label') };
}

async function accounts(cli: Cli, { given: [link = ''] }: Lack): Promise<Choices> {
  const client = await cli.client('console');
  const { items } = await client.credentials.bankAccounts.list(link, cli.call);
  return {
    rows: items,
    shape: shape('bank_account_credential_id', 'masked_account_no', 'status'),
  };
}

async function keys(cli: Cli): Promise<Choices> {
  const client = await cli.client('console');
  const { items } = await client.appCredentials.list(cli.call);
  // Of a revoked key nothing can be changed.
  const rows = items.filter(({ status }) => status === 'ACTIVE');
  return { rows, shape: shape('client_id', 'label', 'allowed_env_scopes') };
}

async function webhooks(cli: Cli): Promise<Choices> {
  const client = await cli.client('any');
  const { items } = await client.webhooks.list(cli.call);
  return { rows: items, shape: shape('webhook_id', 'status', 'url') };
}

async function deliveries(cli: Cli, { given: [webhook = ''] }: Lack): Promise<Choices> {
  const client = await cli.client('any');
  const { items } = await client.webhooks.deliveries(webhook, { limit: LIMIT }, cli.call);
  return { rows: items, shape: shape('delivery_id', 'status', 'event_type', 'created_at') };
}

async function members(cli: Cli): Promise<Choices> {
  const client = await cli.client('console');
  const { items } = await client.members.list(cli.call);
  return { rows: items, shape: shape('user_id', 'email', 'name', 'role') };
}

async function invitations(cli: Cli): Promise<Choices> {
  const client = await cli.client('console');
  const { items } = await client.members.listInvitations(cli.call);
  return { rows: items, shape: shape('invitation_id', 'email', 'role') };
}

async function sessions(cli: Cli): Promise<Choices> {
  const client = await cli.client('console');
  const { items } = await client.account.listSessions(cli.call);
  return { rows: items, shape: shape('session_id', 'kind', 'last_used_on', 'address') };
}

async function factors(cli: Cli): Promise<Choices> {
  const client = await cli.client('console');
  const { items } = await client.factors.list(cli.call);
  return { rows: items, shape: shape('factor_id', 'kind', 'label') };
}

async function page(
  cli: Cli,
  path: string,
  as: 'client' | 'console',
  columns: readonly [string, ...string[]],
): Promise<Choices> {
  const client = await cli.client('any');
  const { body } = await client.request(
    { method: 'GET', path, as, query: { limit: LIMIT } },
    cli.call,
  );
  const { items }: { items?: unknown } = Object(body);
  return { rows: Array.isArray(items) ? items : [], shape: shape(...columns) };
}

async function allInstitutions(cli: Cli): Promise<readonly CatalogueInstitution[]> {
  const { institutions: builtIn } = await loadCatalogue();
  return [...builtIn, ...((await readOwnInstitutions(cli)) ?? [])];
}

async function actions(cli: Cli, { group }: Lack): Promise<Choices> {
  const all = (await allInstitutions(cli)).flatMap((institution) => institution.actions);
  const rows = all
    .filter(({ selectsAccount }) => group !== 'all-accounts' || selectsAccount)
    .map(({ id, title }) => ({ action: id, title: title[cli.language] }));
  return { rows, shape: shape('action', 'title') };
}

async function institutions(cli: Cli, { command }: Lack): Promise<Choices> {
  const rows = (await allInstitutions(cli))
    .filter(({ linkTypes }) => command !== 'consent-url' || linkTypes.includes('consent'))
    .map(({ provider, title }) => ({ provider, title: title[cli.language] }));
  return { rows, shape: shape('provider', 'title') };
}

async function profiles(cli: Cli): Promise<Choices> {
  const { config } = await cli.settingsOfAnyProfile();
  const rows = Object.entries(config.profiles).map(([name, { base_url: baseUrl }]) => ({
    name,
    baseUrl: baseUrl ?? null,
  }));
  return { rows, shape: shape('name', 'base_url') };
}
