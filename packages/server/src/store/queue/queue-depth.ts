import { ENV_SCOPES, type EnvScope } from '@changgu/contract';
import { sql } from 'kysely';
import { read, type Transaction } from '../transactions/script.ts';
import { IS_QUEUED, IS_RUNNING } from './job-predicates.ts';

export interface QueueDepth {
  readonly envScope: EnvScope;
  readonly queued: number;
  readonly running: number;
  /** How long the oldest queued job has waited, in seconds; 0 when none waits. */
  readonly oldestQueuedSeconds: number;
}

/** Queued and running work at one institution in one environment. */
export interface InstitutionDepth {
  readonly provider: string;
  readonly envScope: EnvScope;
  readonly queued: number;
  readonly running: number;
  readonly oldestQueuedAt: number | null;
}

/** The amount of work of all processes together. */
export const queueDepthScripts = {
  /** One entry per environment. Queued jobs are counted up to `most`, because there may be a million. */
  read: read(async (tx, { most }: { readonly most: number }): Promise<readonly QueueDepth[]> => {
    const queued = await selectQueued(tx, most);
    const running = await tx.db
      .selectFrom('jobs')
      .select(['env_scope', (eb) => eb.fn.countAll<number>().as('count')])
      .where(IS_RUNNING)
      .groupBy('env_scope')
      .execute();
    return queued.map(({ env_scope: envScope, count, oldest, now }) => ({
      envScope,
      queued: count,
      running: running.find((row) => row.env_scope === envScope)?.count ?? 0,
      oldestQueuedSeconds: oldest === null ? 0 : Math.max(0, now - oldest) / 1_000,
    }));
  }),

  /** One entry per institution and environment with unfinished jobs; up to `most` queued ones of each environment. */
  perInstitution: read(
    async (tx, { most }: { readonly most: number }): Promise<readonly InstitutionDepth[]> => {
      const perEnvironment = ENV_SCOPES.map(
        (envScope) => sql`select provider, env_scope, count(*) as queued, 0 as running,
          min(submitted_at) as oldest from (
            select provider, env_scope, submitted_at from jobs
            where ${IS_QUEUED} and env_scope = ${sql.lit(envScope)}
            order by queue_deadline_at limit ${sql.lit(most)}) as due group by provider, env_scope`,
      );
      const running = sql`select provider, env_scope, 0 as queued, count(*) as running,
        null as oldest from jobs where ${IS_RUNNING} group by provider, env_scope`;
      const parts = sql.join([...perEnvironment, running], sql` union all `);
      const { rows } = await sql<InstitutionDepth>`
        select provider, env_scope as "envScope", sum(queued) as queued, sum(running) as running,
          min(oldest) as "oldestQueuedAt" from (${parts}) as counted
        group by provider, env_scope`.execute(tx.db);
      // PostgreSQL returns sums as text.
      return rows.map((row) => ({
        ...row,
        queued: Number(row.queued),
        running: Number(row.running),
      }));
    },
  ),
};

interface QueuedRow {
  readonly env_scope: EnvScope;
  readonly count: number;
  readonly oldest: number | null;
  readonly now: number;
}

/** All jobs may wait equally long, so the one due first is the oldest. */
async function selectQueued(tx: Transaction, most: number): Promise<readonly QueuedRow[]> {
  const perEnvironment = ENV_SCOPES.map((envScope) => {
    // Only the index has this order, so the table is not read even where most of it is queued.
    const own = sql`from jobs where ${IS_QUEUED} and env_scope = ${sql.lit(envScope)}
      order by queue_deadline_at`;
    return sql`select ${sql.lit(envScope)} as env_scope, ${tx.clock} as now,
      (select count(*) from (select 1 ${own} limit ${sql.lit(most)}) as counted) as count,
      (select submitted_at ${own} limit 1) as oldest`;
  });
  const { rows } = await sql<QueuedRow>`${sql.join(perEnvironment, sql` union all `)}`.execute(
    tx.db,
  );
  return rows;
}
