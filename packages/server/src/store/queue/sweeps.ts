import { ENV_SCOPES } from '@changgu/contract';
import { sql } from 'kysely';
import { dueEnding } from '../../rules/endings/endings.ts';
import { read, write } from '../transactions/script.ts';
import { MAX_TAKEOVERS } from './claims.ts';
import { HOLDS_LANE, IS_QUEUED, IS_RUNNING, IS_WAITING, NAMED } from './job-predicates.ts';
import { lockLane } from './lane-lock.ts';
import { end, promoteNext } from './lanes.ts';

/** Maximum rows per sweep. */
export const SWEEP_ROWS = 500;

/** Lanes examined per call of `findStalledLanes`. */
const LANES_AT_ONCE = 200;

export interface StalledLanes {
  readonly stalled: readonly string[];
  /** The next call continues after this lane; null at the end. */
  readonly next: string | null;
}

export interface DueJob {
  readonly id: string;
  readonly lane: string | null;
  readonly action: string;
}

/** Ends jobs that no worker will end, and wakes jobs that no signal woke. */
export const sweepScripts = {
  /** Jobs that may be due; `endDue` decides again under the lane's lock. */
  findDue: read(async (tx, input: { readonly leaseMs: number }): Promise<DueJob[]> => {
    const now = await tx.now();
    const columns = ['id', 'lane', 'action'] as const;
    const waitedTooLong: DueJob[] = [];
    for (const envScope of ENV_SCOPES) {
      const rows = await tx.db
        .selectFrom('jobs')
        .select(columns)
        .where(IS_QUEUED)
        .where('env_scope', '=', sql.lit(envScope))
        .where('queue_deadline_at', '<=', now)
        .orderBy('queue_deadline_at')
        .limit(SWEEP_ROWS)
        .execute();
      waitedTooLong.push(...rows);
    }
    const ranTooLong = await tx.db
      .selectFrom('jobs')
      .select(columns)
      .where(IS_RUNNING)
      .where('deadline_at', '<=', now)
      .where(
        sql<boolean>`(submit_step_at is null or deadline_at + ${sql.lit(input.leaseMs)} <= ${now})`,
      )
      .orderBy('deadline_at')
      .limit(SWEEP_ROWS)
      .execute();
    const lost = await tx.db
      .selectFrom('jobs')
      .select(columns)
      .where(IS_RUNNING)
      // Uses the index of deadlines: leases have none, because a heartbeat would have to rewrite it.
      .where('deadline_at', '>', now)
      .where('lease_until', '<', await tx.realNow())
      .where('submit_step_at', 'is', null)
      .where(
        sql<boolean>`(takeovers >= ${sql.lit(MAX_TAKEOVERS)} or cancel_requested = 1
          or credential_sent_at is not null)`,
      )
      .orderBy('lease_until')
      .limit(SWEEP_ROWS)
      .execute();
    return [...waitedTooLong, ...ranTooLong, ...lost];
  }),

  /** Ends one job if it is still due. Only the catalog knows which actions are irreversible. */
  endDue: write(
    async (
      tx,
      input: {
        readonly id: string;
        readonly lane: string | null;
        readonly irreversible: boolean;
        readonly leaseMs: number;
      },
    ): Promise<boolean> => {
      if (input.lane !== null) await lockLane(tx, input.lane);
      const row = await tx.db
        .selectFrom('jobs')
        .select(['status', 'queue_deadline_at', 'deadline_at', 'lease_until', 'lease_owner'])
        .select(['takeovers', 'cancel_requested', 'submit_step_at', 'credential_sent_at'])
        .where('id', '=', input.id)
        .where(NAMED.isUnfinished)
        .$if(tx.dialect.name === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) return false;
      const job = {
        status: row.status === 'RUNNING' ? ('RUNNING' as const) : ('QUEUED' as const),
        queueDeadlineAt: row.queue_deadline_at,
        deadlineAt: row.deadline_at,
        leaseUntil: row.lease_until,
        takeovers: row.takeovers,
        cancelRequested: row.cancel_requested === 1,
        pastPoint: row.submit_step_at !== null,
        credentialSent: row.credential_sent_at !== null,
      };
      const time = {
        now: await tx.now(),
        realNow: await tx.realNow(),
        leaseMs: input.leaseMs,
        maxTakeovers: MAX_TAKEOVERS,
      };
      const outcome = dueEnding(job, time, input.irreversible);
      if (outcome === null) return false;
      return (await end(tx, input, outcome, { status: job.status })) !== null;
    },
  ),

  /**
   * Lanes with waiting jobs but neither a head nor a running job: none, unless something went wrong.
   * Examines few enough at a time that no other transaction waits.
   */
  findStalledLanes: read(
    async (tx, { after }: { readonly after: string }): Promise<StalledLanes> => {
      const { rows } = await sql<{ lane: string; stalled: boolean | number }>`
        with recursive lanes (lane, n) as (
          select (select lane from jobs where ${IS_WAITING} and lane > ${after} order by lane limit 1), 1
          union all
          select (select lane from jobs where ${IS_WAITING} and jobs.lane > lanes.lane order by lane limit 1), n + 1
          from lanes where lanes.lane is not null and n < ${sql.lit(LANES_AT_ONCE)}
        )
        select lane,
          not exists (select 1 from jobs where jobs.lane = lanes.lane and ${HOLDS_LANE}) as stalled
        from lanes where lane is not null
        order by n`.execute(tx.db);
      return {
        stalled: rows.filter((row) => Boolean(row.stalled)).map(({ lane }) => lane),
        next: rows.length === LANES_AT_ONCE ? (rows.at(-1)?.lane ?? null) : null,
      };
    },
  ),

  /** Gives a stalled lane a head. */
  healLane: write(async (tx, input: { readonly lane: string }): Promise<boolean> => {
    await lockLane(tx, input.lane);
    return promoteNext(tx, input.lane);
  }),
};
