import type { LinkFacts } from '../../rules/links/choose-link.ts';
import type { PeriodUsage } from '../../rules/quota/quota.ts';
import { quotaPeriods } from '../../rules/quota/quota-periods.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { SubmissionRows } from '../../rules/submission/decide-submission.ts';
import { toRecords } from '../transactions/records.ts';
import type { Transaction } from '../transactions/script.ts';
import { existingOf, jobsOfKeys, type KeyedRow, NO_JOB, readJobOfKey } from './job-of-key.ts';
import { billingPeriod, toOrganizationPolicy } from './organization-policy.ts';
import {
  ROWS_FIELDS,
  type RowsRow,
  type SharedRow,
  type SubmissionQuery,
  selectRows,
  selectRowsOfMany,
  variantOf,
} from './rows-statement.ts';

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
      ROWS_FIELDS,
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
  return quotaPeriods(query.envScope, plan, billingPeriod(organization, now), now).map(
    (period) => ({
      ...period,
      used: used.get(period.key) ?? 0,
    }),
  );
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
