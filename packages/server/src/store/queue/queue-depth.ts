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

/** How much work there is, of all processes together. */
export const queueDepthScripts = {
  /** One entry per environment. Queued jobs are counted up to `most`: there may be a million. */
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
};

interface QueuedRow {
  readonly env_scope: EnvScope;
  readonly count: number;
  readonly oldest: number | null;
  readonly now: number;
}

/** The one that is due first is the oldest: all wait equally long. */
async function selectQueued(tx: Transaction, most: number): Promise<readonly QueuedRow[]> {
  const perEnvironment = ENV_SCOPES.map((envScope) => {
    // Only the index has them in this order: also where most of the table is queued, it is not read.
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
