import { type Kysely, sql } from 'kysely';
import type { Database } from '../../packages/server/src/store/schema/tables.ts';

/** Broken promises; every count must be 0. */
export interface Verdict {
  /** Jobs that began before their predecessor in the lane had ended. */
  readonly overlaps: number;
  /** Tokens used, compared with the tokens of the charged jobs. */
  readonly tokensOff: number;
  readonly stuck: number;
}

export interface Counts {
  readonly jobs: number;
  readonly takenOver: number;
  readonly byOutcome: Readonly<Record<string, number>>;
}

export async function judge(db: Kysely<Database>): Promise<Verdict> {
  const overlaps = await count(
    db,
    sql`select count(*) as n from (
      select started_at, max(finished_at) over (
        partition by lane order by seq rows between unbounded preceding and 1 preceding) as earlier
      from jobs where lane is not null and started_at is not null) as lanes
    where started_at < earlier`,
  );
  const charged = await count(
    db,
    sql`select coalesce(sum(usage_tokens), 0) as n from jobs
      where env_scope <> 'sandbox' and (started_at is not null or finished_at is null)`,
  );
  const used = await count(
    db,
    sql`select coalesce(sum(used), 0) as n from usage where period like 'day:%'`,
  );
  const stuck = await count(db, sql`select count(*) as n from jobs where finished_at is null`);
  return { overlaps, tokensOff: Math.abs(charged - used), stuck };
}

export async function countJobs(db: Kysely<Database>): Promise<Counts> {
  const rows = await db
    .selectFrom('jobs')
    .select(['status', 'error', (eb) => eb.fn.countAll<number | string>().as('n')])
    .groupBy(['status', 'error'])
    .execute();
  const byOutcome: Record<string, number> = {};
  for (const { status, error, n } of rows) {
    const outcome = error === null ? status : `${status} ${JSON.parse(error).code}`;
    byOutcome[outcome] = (byOutcome[outcome] ?? 0) + Number(n);
  }
  return {
    jobs: await count(db, sql`select count(*) as n from jobs`),
    takenOver: await count(db, sql`select count(*) as n from jobs where takeovers > 0`),
    byOutcome,
  };
}

export async function count(db: Kysely<Database>, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`${query}`.execute(db);
  return Number(rows[0]?.n ?? 0);
}

export async function anyUnfinished(db: Kysely<Database>): Promise<boolean> {
  const unfinished = db
    .selectFrom('jobs')
    .select('id')
    .where(sql<boolean>`status in ('QUEUED', 'RUNNING')`);
  return (await unfinished.limit(1).executeTakeFirst()) !== undefined;
}
