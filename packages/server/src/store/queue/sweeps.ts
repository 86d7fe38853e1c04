import { ENV_SCOPES } from '@changgu/contract';
import { sql } from 'kysely';
import { dueEnding } from '../../rules/endings/endings.ts';
import { BATCH_ROWS } from '../transactions/batch.ts';
import { inIndexOrder, read, write } from '../transactions/script.ts';
import { MAX_TAKEOVERS } from './claims.ts';
import { end } from './end-jobs.ts';
import { IS_QUEUED, IS_RUNNING, IS_WAITING, NAMED } from './job-predicates.ts';
import { type KnownRuns, knownRuns, startedSince } from './known-work.ts';
import { lockLane } from './lanes/lane-lock.ts';
import { laneIsHeld } from './lanes/lane-turns.ts';
import { promoteNext } from './lanes/promote-next.ts';

/** Lanes examined per call of `findStalledLanes`: few, because each may have dead rows to step over. */
const LANES_AT_ONCE = 20;

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

interface DueInput {
  readonly leaseMs: number;
  readonly known: KnownRuns;
}

export interface DueJobs {
  readonly due: readonly DueJob[];
  /** The `known` of the next call. */
  readonly known: KnownRuns;
}

function ranTooLong(now: number, leaseMs: number) {
  return sql<boolean>`(deadline_at <= ${now}
    and (submit_step_at is null or deadline_at + ${sql.lit(leaseMs)} <= ${now}))`;
}

/** Its worker is gone, and no other may run it. */
function isLost(now: number, realNow: number) {
  return sql<boolean>`(deadline_at > ${now} and lease_until < ${realNow} and submit_step_at is null
    and (takeovers >= ${sql.lit(MAX_TAKEOVERS)} or cancel_requested = 1
      or credential_sent_at is not null))`;
}

const findDue = read(async (tx, input: DueInput): Promise<DueJobs> => {
  const [now, realNow] = [await tx.now(), await tx.realNow()];
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
      .limit(BATCH_ROWS)
      .execute();
    waitedTooLong.push(...rows);
  }
  const running = tx.db
    .selectFrom('jobs')
    .where(IS_RUNNING)
    // Neither deadlines nor leases have an index: the jobs that run are few.
    .where('started_at', '>=', startedSince(input.known, now))
    .orderBy('started_at');
  const oldest = await running.select('started_at').limit(1).executeTakeFirst();
  const overdue = await running
    .select(columns)
    .where(({ or }) => or([ranTooLong(now, input.leaseMs), isLost(now, realNow)]))
    .limit(BATCH_ROWS)
    .execute();
  const known = knownRuns(oldest?.started_at ?? null, now);
  return { due: [...waitedTooLong, ...overdue], known };
});

/** Ends jobs that no worker will end, and wakes jobs that no signal woke. */
export const sweepScripts = {
  /**
   * Jobs that may be due; `endDue` decides again under the lane's lock. In the order of the index, or PostgreSQL might
   * read another one of unfinished jobs, with the dead rows of all of them.
   */
  findDue: inIndexOrder(findDue),

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
        .modifyEnd(tx.dialect.forUpdate)
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
          not ${laneIsHeld(tx, sql`lanes.lane`)} as stalled
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
