import type { JobState } from '@changgu/contract';
import { sql } from 'kysely';
import { DAY_MS } from '../../rules/durations.ts';
import type { JobAccess } from '../../rules/jobs/job-access.ts';
import { KST_OFFSET_MS } from '../../rules/kst.ts';
import { read } from '../transactions/script.ts';
import { visible } from './job-reads.ts';

export interface SubmittedFacts {
  readonly provider: string;
  readonly action: string;
  readonly accountLinkId: string | null;
  readonly idempotencyKey: string;
  /** JSON. */
  readonly params: string;
}

export interface SummaryRow {
  /** Days since 1970 in Korea. */
  readonly day: number;
  readonly action: string;
  readonly status: JobState;
  readonly jobs: number;
  readonly tokens: number;
}

/** The jobs of a call in one state. */
export interface RunRow {
  readonly key: string;
  readonly provider: string;
  readonly action: string;
  readonly status: JobState;
  readonly jobs: number;
}

export interface LineRow {
  readonly seq: number;
  readonly jobId: string;
  readonly accountLinkId: string | null;
  readonly accountId: string;
  readonly maskedAccountNo: string | null;
  readonly status: JobState;
  readonly progress: number;
  /** JSON of JobError. */
  readonly error: string | null;
}

interface SummaryQuery {
  readonly access: JobAccess;
  readonly from: number;
  /** Null: up to now. */
  readonly before: number | null;
  /** Only jobs accepted after this one are counted; null = all. */
  readonly fromSeq: number | null;
}

export const jobOverviewScripts = {
  /** Null when the caller may not see the job. */
  submitted: read(
    async (tx, { access, jobId }: { readonly access: JobAccess; readonly jobId: string }) => {
      const row = await tx.db
        .selectFrom('jobs')
        .select(['provider', 'action', 'account_link_id as accountLinkId', 'params'])
        .select('idempotency_key as idempotencyKey')
        .where('id', '=', jobId)
        .where((eb) => visible(eb, access))
        .executeTakeFirst();
      return (row ?? null) satisfies SubmittedFacts | null;
    },
  ),

  summary: read(async (tx, { access, from, before, fromSeq }: SummaryQuery) => {
    const day = sql<number>`(jobs.submitted_at + ${sql.lit(KST_OFFSET_MS)}) / ${sql.lit(DAY_MS)}`;
    // The tokens of jobs that never ran were returned.
    const tokens = sql<number>`coalesce(sum(case
      when jobs.status in ('CANCELED', 'TIMEOUT') and jobs.started_at is null then 0
      else jobs.usage_tokens end), 0)`;
    let query = tx.db
      .selectFrom('jobs')
      .select(['action', 'status', day.as('day'), tokens.as('tokens')])
      .select(({ fn }) => fn.countAll<number>().as('jobs'))
      .where((eb) => visible(eb, access))
      .where('submitted_at', '>=', from)
      .where('seq', '>=', fromSeq ?? 0)
      .groupBy([day, 'action', 'status']);
    if (before !== null) query = query.where('submitted_at', '<', before);
    return (await query.execute()).map(
      (row): SummaryRow => ({
        ...row,
        day: Number(row.day),
        jobs: Number(row.jobs),
        tokens: Number(row.tokens),
      }),
    );
  }),

  /** The latest calls up to a time, skipping the given number at exactly that time, each with its jobs by state. */
  runs: read(
    async (
      tx,
      input: {
        readonly access: JobAccess;
        readonly upTo: { readonly at: number; readonly skip: number } | null;
        readonly limit: number;
      },
    ) => {
      const { access, upTo, limit } = input;
      let latest = tx.db
        .selectFrom('all_accounts_keys')
        .select(['idempotency_key as key', 'created_at as at'])
        .where('organization_id', '=', access.organizationId)
        .where('env_scope', '=', access.envScope)
        .orderBy('created_at', 'desc')
        .orderBy('idempotency_key')
        .limit(limit)
        .offset(upTo?.skip ?? 0);
      if (upTo !== null) latest = latest.where('created_at', '<=', upTo.at);
      const keys = await latest.execute();
      if (keys.length === 0) return { keys, rows: [] };
      const rows = await tx.db
        .selectFrom('jobs')
        .select(['idempotency_key as key', 'provider', 'action', 'status'])
        .select(({ fn }) => fn.countAll<number>().as('jobs'))
        .where((eb) => visible(eb, access))
        .where(sql<boolean>`operation = 'all_accounts'`)
        .where(
          'idempotency_key',
          'in',
          keys.map(({ key }) => key),
        )
        .groupBy(['idempotency_key', 'provider', 'action', 'status'])
        .execute();
      return { keys, rows: rows.map((row) => ({ ...row, jobs: Number(row.jobs) })) };
    },
  ),

  /** The jobs of a call, in order of submission. */
  lines: read(
    async (
      tx,
      input: {
        readonly access: JobAccess;
        readonly key: string;
        readonly afterSeq: number;
        readonly limit: number;
      },
    ): Promise<LineRow[]> =>
      tx.db
        .selectFrom('jobs')
        .leftJoin('bank_accounts', (join) =>
          join
            .onRef('bank_accounts.id', '=', 'jobs.idempotency_account')
            .onRef('bank_accounts.organization_id', '=', 'jobs.organization_id'),
        )
        .select(['jobs.seq', 'jobs.id as jobId', 'jobs.account_link_id as accountLinkId'])
        .select(['jobs.idempotency_account as accountId', 'jobs.status', 'jobs.progress'])
        .select(['jobs.error', 'bank_accounts.masked_account_no as maskedAccountNo'])
        .where((eb) => visible(eb, input.access))
        .where(sql<boolean>`jobs.operation = 'all_accounts'`)
        .where('jobs.idempotency_key', '=', input.key)
        .where('jobs.seq', '>', input.afterSeq)
        .orderBy('jobs.seq')
        .limit(input.limit)
        .execute(),
  ),
};
