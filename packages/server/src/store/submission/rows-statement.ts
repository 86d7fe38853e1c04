import type { EnvScope } from '@changgu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Plans } from '../../rules/quota/plans.ts';
import { laneIsHeld } from '../queue/lanes/lane-turns.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { columnsOf, records, recordType } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import { JOB_COLUMNS, type KeyedRow, type KeyQuery, seqOfKey } from './job-of-key.ts';
import type { NewJob } from './job-row.ts';
import { POLICY_COLUMNS } from './organization-policy.ts';
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

/** What changes the statement itself: which links are read, what is counted, which account. */
type Variant = `${'sent' | 'all'} ${'counted' | 'free'} ${AccountWish}`;
type AccountWish = 'none' | 'named' | 'default';

export function variantOf(query: SubmissionQuery): Variant {
  const links = query.accountLinkId === null ? 'all' : 'sent';
  const tokens = query.envScope === 'sandbox' ? 'free' : 'counted';
  const named = query.namedAccountId === null ? 'default' : 'named';
  return `${links} ${tokens} ${query.selectsAccount && tokens === 'counted' ? named : 'none'}`;
}

/** The fields of a line of `selectRowsOfMany`. */
export const ROWS_FIELDS = {
  organizationId: 'integer',
  envScope: 'text',
  laneScope: 'text',
  provider: 'text',
  accountLinkId: 'text',
  namedAccountId: 'text',
} as const satisfies Partial<Record<keyof SubmissionQuery, string>>;

export const selectRows = compiled((tx, slot: SlotOf<RowsQuery & KeyQuery>, variant: Variant) =>
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
export const selectRowsOfMany = compiled((tx, slot: SlotOf<{ lines: string }>, variant: Variant) =>
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
          rowsOf(tx, columnsOf<RowsQuery>(ROWS_FIELDS), variant, STORED_OF_LINE)
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

const linesOf = (lines: string) =>
  records<{ n: number }>(lines).as<'line'>(recordType(ROWS_FIELDS));

const LANE_OF_LINE = sql`(account_links.id || ':' || line."laneScope")`;

const STORED_OF_LINE = sql<number>`(select bytes from stored where stored.id = organizations.id)`;

type RowsQuery = Pick<SubmissionQuery, keyof typeof ROWS_FIELDS>;

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
 * The newest usage rows of each kind, as `day:2026-11-21=5,…`. The current period is only known with the clock that
 * this same statement reads. Its row is the newest, or the one before it where the clock was set back, or none.
 * For a statement that selects from `organizations`.
 */
export function latestUsage(envScope: EnvScope): RawBuilder<string | null> {
  const newest = PERIOD_KINDS.map(
    (kind) => sql`coalesce((
      select string_agg(period || '=' || cast(used as text), ',') from (
        select period, used from usage
        where organization_id = organizations.id and env_scope = ${envScope}
          and period >= ${sql.lit(`${kind}:`)} and period < ${sql.lit(`${kind};`)}
        order by period desc limit 2) as newest), '')`,
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

export type RowsRow = Awaited<ReturnType<typeof selectRows>>[number];
/** Without the job of a key, where one row serves several keys. */
export type SharedRow = Omit<RowsRow, keyof KeyedRow> & {
  readonly last_seq?: number;
  readonly lane_is_held?: boolean;
};
