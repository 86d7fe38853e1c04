import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { LinkFacts } from '../../rules/links/choose-link.ts';
import type { Plans } from '../../rules/quota/plans.ts';
import type { PeriodUsage } from '../../rules/quota/quota.ts';
import { quotaPeriods } from '../../rules/quota/quota-periods.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { SubmissionRows } from '../../rules/submission/decide-submission.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { columnsOf, records, recordType, toRecords } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import { jobOfKey } from './job-of-key.ts';
import type { NewJob } from './job-row.ts';
import { billingPeriod, POLICY_COLUMNS, toOrganizationPolicy } from './organization-policy.ts';
import { storedBytesOf } from './stored-bytes.ts';

/** The parameters that select the rows. */
export interface SubmissionQuery
  extends Pick<
    NewJob,
    | 'organizationId'
    | 'envScope'
    | 'operation'
    | 'idempotencyKey'
    | 'idempotencyAccount'
    | 'provider'
    | 'accountLinkId'
  > {
  readonly selectsAccount: boolean;
  /** `bank_account_credential_id` of the params; null when they name none. */
  readonly namedAccountId: string | null;
  readonly plans: Plans;
}

/** The kinds of usage periods, by the prefix of their key. */
const PERIOD_KINDS = ['day', 'month', 'billing'] as const;

/**
 * All rows that decide a submission, in one statement, because each further one would be a round trip
 * on PostgreSQL. One row per link; the other columns are repeated.
 */
export async function readSubmissionRows(
  tx: Transaction,
  query: SubmissionQuery,
): Promise<ReadRows> {
  const rows = toSubmissionRows(query, await selectRows(tx, query, variantOf(query)));
  if (rows === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return rows;
}

export type ReadRows = SubmissionRows & { readonly existingLinkId: string | null };

/** The same for many. Null where the organization does not exist. */
export function readRowsOfMany(
  tx: Transaction,
  queries: readonly SubmissionQuery[],
): Promise<(ReadRows | null)[]> {
  return tx.dialect.name === 'sqlite' ? readOneByOne(tx, queries) : readByForm(tx, queries);
}

/** Only the key of a submission is looked up when one before it has read the rest. */
async function readOneByOne(
  tx: Transaction,
  queries: readonly SubmissionQuery[],
): Promise<(ReadRows | null)[]> {
  const known = new Map<string, RowsRow[]>();
  const found: (ReadRows | null)[] = [];
  for (const query of queries) {
    const { organizationId, envScope, provider, accountLinkId, namedAccountId } = query;
    const form = variantOf(query);
    const values = [form, organizationId, envScope, provider, accountLinkId, namedAccountId];
    const shared = JSON.stringify(values);
    const rows = known.get(shared);
    if (rows === undefined) {
      const own = await selectRows(tx, query, form);
      known.set(shared, own);
      found.push(toSubmissionRows(query, own));
    } else {
      const [job = NO_JOB] = await selectKeyed(tx, query);
      found.push(toSubmissionRows(query, rows, job));
    }
  }
  return found;
}

/** One statement for each form of it. */
async function readByForm(
  tx: Transaction,
  queries: readonly SubmissionQuery[],
): Promise<(ReadRows | null)[]> {
  const found = queries.map((): RowsRow[] => []);
  const forms = Map.groupBy(queries.entries(), ([, query]) => variantOf(query));
  for (const [variant, members] of forms) {
    const lines = toRecords(LINE, members);
    for (const row of await selectRowsOfMany(tx, { lines }, variant)) found[row.n]?.push(row);
  }
  return queries.map((query, n) => toSubmissionRows(query, found[n] ?? []));
}

type RowsRow = Awaited<ReturnType<typeof selectRows>>[number];

function toSubmissionRows(
  query: SubmissionQuery,
  rows: readonly RowsRow[],
  job: KeyedRow | undefined = rows[0],
): ReadRows | null {
  const [first] = rows;
  if (first === undefined || job === undefined) return null;
  const organization = toOrganizationPolicy(first);
  return {
    now: first.now,
    organization,
    storedBytes: first.stored_bytes,
    usages: usagesOf(query, organization, first.now, first.latest_usage),
    links: rows.flatMap((row) => linkOf(row, query.provider)),
    existing: existingOf(job),
    existingLinkId: job.job_link_id,
  };
}

export function usagesOf(
  query: Pick<SubmissionQuery, 'envScope' | 'plans'>,
  organization: SubmissionRows['organization'],
  now: number,
  latest: string | null,
): PeriodUsage[] {
  const plan = query.plans[organization.planCode];
  const used = new Map(
    (latest ?? '').split(',').map((entry) => {
      const [key = '', tokens = '0'] = entry.split('=');
      return [key, Number(tokens)];
    }),
  );
  return quotaPeriods(query.envScope, plan, billingPeriod(organization), now).map((period) => ({
    ...period,
    used: used.get(period.key) ?? 0,
  }));
}

/** What changes the statement itself: which links are read, what is counted, which account. */
type Variant = `${'sent' | 'all'} ${'counted' | 'free'} ${AccountWish}`;
type AccountWish = 'none' | 'named' | 'default';

function variantOf(query: SubmissionQuery): Variant {
  const links = query.accountLinkId === null ? 'all' : 'sent';
  const tokens = query.envScope === 'sandbox' ? 'free' : 'counted';
  const named = query.namedAccountId === null ? 'default' : 'named';
  return `${links} ${tokens} ${query.selectsAccount && tokens === 'counted' ? named : 'none'}`;
}

/** The fields of a line of `selectRowsOfMany`. */
const LINE = {
  organizationId: 'integer',
  envScope: 'text',
  operation: 'text',
  idempotencyKey: 'text',
  idempotencyAccount: 'text',
  provider: 'text',
  accountLinkId: 'text',
  namedAccountId: 'text',
} as const satisfies Partial<Record<keyof SubmissionQuery, string>>;

const selectRows = compiled((tx, slot: SlotOf<RowsQuery>, variant: Variant) =>
  rowsOf(tx, slot, variant, storedBytesOf(tx)),
);

/**
 * PostgreSQL only. `offset 0`: each line looks its rows up by index, however few there were at planning time.
 * What an organization stores is summed once for all its lines: its rows change with every job, and while another
 * transaction holds a snapshot their old versions have to be skipped.
 */
const selectRowsOfMany = compiled((tx, slot: SlotOf<{ lines: string }>, variant: Variant) =>
  tx.db
    .with(
      (stored) => stored('stored').materialized(),
      (db) =>
        db
          .selectFrom('organizations')
          .where('id', 'in', (lines) =>
            lines
              .selectFrom(linesOf(slot('lines')))
              .select(sql<number>`line."organizationId"`.as('organization_id')),
          )
          .select(['id', storedBytesOf(tx).as('bytes')]),
    )
    .selectFrom(linesOf(slot('lines')))
    .innerJoinLateral(
      rowsOf(tx, columnsOf<RowsQuery>(LINE), variant, STORED_OF_LINE)
        .offset(sql.lit(0))
        .as('found'),
      (join) => join.onTrue(),
    )
    .select('line.n')
    .selectAll('found'),
);

const linesOf = (lines: string) => records<{ n: number }>(lines).as<'line'>(recordType(LINE));

const STORED_OF_LINE = sql<number>`(select bytes from stored where stored.id = organizations.id)`;

type RowsQuery = Pick<SubmissionQuery, keyof typeof LINE>;

function rowsOf(
  tx: Transaction,
  slot: SlotOf<RowsQuery>,
  variant: Variant,
  storedBytes: RawBuilder<number>,
) {
  return tx.db
    .selectFrom('organizations')
    .leftJoin('account_links', (join) =>
      join
        .onRef('account_links.organization_id', '=', 'organizations.id')
        .on('account_links.provider', '=', slot('provider'))
        .on(
          variant.startsWith('all')
            ? sql<boolean>`account_links.status <> 'UNLINKED'`
            : sql<boolean>`account_links.id = ${slot('accountLinkId')}`,
        ),
    )
    .leftJoin('jobs', (join) => join.on('jobs.seq', '=', seqOfKey(slot)))
    .where('organizations.id', '=', slot('organizationId'))
    .select(POLICY_COLUMNS)
    .select([
      'account_links.id as link_id',
      'account_links.is_primary',
      'account_links.purpose as link_purpose',
      'account_links.status as link_status',
    ])
    .select(JOB_COLUMNS)
    .select([tx.clock.as('now'), storedBytes.as('stored_bytes')])
    .select(chosenAccount(slot, variant).as('account_id'))
    .select(
      (variant.includes('counted') ? latestUsage(slot('envScope')) : sql<string | null>`null`).as(
        'latest_usage',
      ),
    );
}

/** The job that the key of a submission created. */
const JOB_COLUMNS = [
  'jobs.id as job_id',
  'jobs.status as job_status',
  'jobs.submitted_at',
  'jobs.identity_hash',
  'jobs.identity_hash_without_link',
  'jobs.link_was_omitted',
  'jobs.account_link_id as job_link_id',
] as const;

type KeyedRow = Pick<
  RowsRow,
  | 'job_id'
  | 'job_status'
  | 'submitted_at'
  | 'identity_hash'
  | 'identity_hash_without_link'
  | 'link_was_omitted'
  | 'job_link_id'
>;

const NO_JOB: KeyedRow = {
  job_id: null,
  job_status: null,
  submitted_at: null,
  identity_hash: null,
  identity_hash_without_link: null,
  link_was_omitted: null,
  job_link_id: null,
};

const selectKeyed = compiled((tx, slot: SlotOf<RowsQuery>) =>
  tx.db.selectFrom('jobs').where('jobs.seq', '=', seqOfKey(slot)).select(JOB_COLUMNS),
);

function seqOfKey(slot: SlotOf<RowsQuery>): RawBuilder<number> {
  return jobOfKey({
    organizationId: slot('organizationId'),
    envScope: slot('envScope'),
    operation: slot('operation'),
    idempotencyKey: slot('idempotencyKey'),
    idempotencyAccount: slot('idempotencyAccount'),
  });
}

/**
 * The newest usage row of each kind, as `day:2026-11-21=5,…`. The current period is only known with the
 * clock that this same statement reads; time never goes back, so it is the newest or none.
 * For a statement that selects from `organizations`.
 */
export function latestUsage(envScope: EnvScope): RawBuilder<string | null> {
  const newest = PERIOD_KINDS.map(
    (kind) => sql`coalesce((
      select period || '=' || cast(used as text) from usage
      where organization_id = organizations.id and env_scope = ${envScope}
        and period >= ${sql.lit(`${kind}:`)} and period < ${sql.lit(`${kind};`)}
      order by period desc limit 1), '')`,
  );
  return sql`${sql.join(newest, sql` || ',' || `)}`;
}

function chosenAccount(slot: SlotOf<RowsQuery>, variant: Variant): RawBuilder<string | null> {
  if (variant.endsWith('none')) return sql`null`;
  const which = variant.endsWith('named')
    ? sql`id = ${slot('namedAccountId')}`
    : sql`is_default = 1`;
  return sql`(select id from bank_accounts
    where account_link_id = account_links.id and status <> 'UNLINKED' and ${which} limit 1)`;
}

function linkOf(
  row: {
    link_id: string | null;
    is_primary: number | null;
    link_purpose: LinkFacts['purpose'];
    link_status: LinkFacts['status'] | null;
    account_id: string | null;
  },
  provider: string,
): LinkFacts[] {
  if (row.link_id === null || row.link_status === null) return [];
  return [
    {
      id: row.link_id,
      provider,
      isPrimary: row.is_primary === 1,
      purpose: row.link_purpose,
      status: row.link_status,
      accountId: row.account_id,
    },
  ];
}

function existingOf(row: KeyedRow): SubmissionRows['existing'] {
  if (row.job_id === null || row.job_status === null) return null;
  return {
    id: row.job_id,
    status: row.job_status,
    submittedAt: row.submitted_at ?? 0,
    identityHash: row.identity_hash ?? '',
    identityHashWithoutLink: row.identity_hash_without_link ?? '',
    linkWasOmitted: row.link_was_omitted === 1,
  };
}
