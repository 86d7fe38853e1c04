import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { LinkFacts } from '../../rules/links/choose-link.ts';
import type { Plans } from '../../rules/quota/plans.ts';
import type { PeriodUsage } from '../../rules/quota/quota.ts';
import { quotaPeriods } from '../../rules/quota/quota-periods.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { SubmissionRows } from '../../rules/submission/decide-submission.ts';
import { laneIsHeld } from '../queue/lanes/lane-turns.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { columnsOf, records, recordType, toRecords } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import {
  existingOf,
  JOB_COLUMNS,
  jobsOfKeys,
  type KeyedRow,
  type KeyQuery,
  NO_JOB,
  readJobOfKey,
  seqOfKey,
} from './job-of-key.ts';
import type { NewJob } from './job-row.ts';
import { billingPeriod, POLICY_COLUMNS, toOrganizationPolicy } from './organization-policy.ts';
import { storedBytesOf } from './stored-bytes.ts';

/** The parameters that select the rows. */
export interface SubmissionQuery
  extends Pick<
    NewJob,
    | 'organizationId'
    | 'envScope'
    | 'laneScope'
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
  const own = await selectRows(tx, query, variantOf(query));
  const rows = toSubmissionRows(query, own, own[0] ?? NO_JOB);
  if (rows === null) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  return rows;
}

export type ReadRows = SubmissionRows & {
  readonly existingLinkId: string | null;
  /** PostgreSQL only. */
  readonly outlook?: Outlook;
};

/** What is likely to become of a job, if it is accepted. */
export interface Outlook {
  /** Its own will be larger. */
  readonly lastSeq: number;
  /** The links whose lane some job holds. */
  readonly heldLinks: ReadonlySet<string>;
}

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
    const shared = sharedBy(query);
    const rows = known.get(shared);
    if (rows === undefined) {
      const own = await selectRows(tx, query, variantOf(query));
      known.set(shared, own);
      found.push(toSubmissionRows(query, own, own[0] ?? NO_JOB));
    } else {
      found.push(toSubmissionRows(query, rows, await readJobOfKey(tx, query)));
    }
  }
  return found;
}

/** The same for all those whose rows but the job of their key are the same. */
function sharedBy(query: SubmissionQuery): string {
  const { organizationId, envScope, laneScope, provider, accountLinkId, namedAccountId } = query;
  return JSON.stringify([
    variantOf(query),
    organizationId,
    envScope,
    laneScope,
    provider,
    accountLinkId,
    namedAccountId,
  ]);
}

/**
 * One statement for each form of them, which reads for one submission of those that share their rows, and one for
 * the keys of all. They are sent together.
 */
async function readByForm(
  tx: Transaction,
  queries: readonly SubmissionQuery[],
): Promise<(ReadRows | null)[]> {
  const shared = queries.map(sharedBy);
  const found = new Map(queries.map((query, n) => [shared[n], { query, rows: [] as SharedRow[] }]));
  const readers = [...found.values()];
  const forms = Map.groupBy(readers.entries(), ([, { query }]) => variantOf(query));
  const reads = Array.from(forms, async ([variant, members]) => {
    const lines = toRecords(
      LINE,
      members.map(([n, { query }]) => [n, query] as const),
    );
    for (const row of await selectRowsOfMany(tx, { lines }, variant))
      readers[row.n]?.rows.push(row);
  });
  const [jobs] = await Promise.all([jobsOfKeys(tx, queries), ...reads]);
  return queries.map((query, n) => {
    const { rows = [] } = found.get(shared[n]) ?? {};
    return toSubmissionRows(query, rows, jobs.get(n) ?? NO_JOB);
  });
}

type RowsRow = Awaited<ReturnType<typeof selectRows>>[number];
type SharedRow = Omit<RowsRow, keyof KeyedRow> & {
  readonly last_seq?: number;
  readonly lane_is_held?: boolean;
};

function toSubmissionRows(
  query: SubmissionQuery,
  rows: readonly SharedRow[],
  job: KeyedRow,
): ReadRows | null {
  const [first] = rows;
  if (first === undefined) return null;
  const organization = toOrganizationPolicy(first);
  return {
    now: first.now,
    organization,
    storedBytes: first.stored_bytes,
    usages: usagesOf(query, organization, first.now, first.latest_usage),
    links: rows.flatMap((row) => linkOf(row, query.provider)),
    existing: existingOf(job),
    existingLinkId: job.job_link_id,
    ...(first.last_seq === undefined ? {} : { outlook: outlookOf(first.last_seq, rows) }),
  };
}

function outlookOf(lastSeq: number, rows: readonly SharedRow[]): Outlook {
  return {
    lastSeq,
    heldLinks: new Set(rows.flatMap((row) => (row.lane_is_held && row.link_id) || [])),
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
  laneScope: 'text',
  provider: 'text',
  accountLinkId: 'text',
  namedAccountId: 'text',
} as const satisfies Partial<Record<keyof SubmissionQuery, string>>;

const selectRows = compiled((tx, slot: SlotOf<RowsQuery & KeyQuery>, variant: Variant) =>
  rowsOf(tx, slot, variant, storedBytesOf(tx))
    .leftJoin('jobs', (join) => join.on('jobs.seq', '=', seqOfKey(slot)))
    .select(JOB_COLUMNS),
);

/**
 * PostgreSQL only. `offset 0`: each line looks its rows up by index, however few there were at planning time.
 * What an organization stores is summed once for all its lines: its rows change with every job, and while another
 * transaction holds a snapshot their old versions have to be skipped. It is a `select` from without, because only
 * those are sent together with their `begin`.
 */
const selectRowsOfMany = compiled((tx, slot: SlotOf<{ lines: string }>, variant: Variant) =>
  tx.db
    .selectFrom(
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
            .select(sql<number>`(select last_value from jobs_seq_seq)`.as('last_seq'))
            .select(laneIsHeld(tx, LANE_OF_LINE).as('lane_is_held'))
            .offset(sql.lit(0))
            .as('found'),
          (join) => join.onTrue(),
        )
        .select('line.n')
        .selectAll('found')
        .as('found'),
    )
    .selectAll('found'),
);

const linesOf = (lines: string) => records<{ n: number }>(lines).as<'line'>(recordType(LINE));

const LANE_OF_LINE = sql`(account_links.id || ':' || line."laneScope")`;

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
    .where('organizations.id', '=', slot('organizationId'))
    .select(POLICY_COLUMNS)
    .select([
      'account_links.id as link_id',
      'account_links.is_primary',
      'account_links.purpose as link_purpose',
      'account_links.owner_kind',
      'account_links.status as link_status',
    ])
    .select([tx.clock.as('now'), storedBytes.as('stored_bytes')])
    .select(chosenAccount(slot, variant).as('account_id'))
    .select(
      (variant.includes('counted') ? latestUsage(slot('envScope')) : sql<string | null>`null`).as(
        'latest_usage',
      ),
    );
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
    owner_kind: LinkFacts['ownerKind'];
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
      ownerKind: row.owner_kind,
      status: row.link_status,
      accountId: row.account_id,
    },
  ];
}
