import type { EnvScope } from '@changgu/contract';
import { type Selectable, sql } from 'kysely';
import {
  afterJob,
  awaitsTrial,
  type Breaker,
  CLOSED,
  type JudgedJob,
  verdictOf,
} from '../../rules/endings/breaker.ts';
import type { Outcome } from '../../rules/endings/endings.ts';
import type { Database } from '../schema/tables.ts';
import { compiled } from '../transactions/compiled.ts';
import { type Callable, read, type Transaction, write } from '../transactions/script.ts';
import { IN_POOL, IS_READY, mayStart, NAMED } from './job-predicates.ts';

type RealScope = Exclude<EnvScope, 'sandbox'>;

export interface BreakerState extends Breaker {
  readonly provider: string;
  readonly envScope: RealScope;
  /** Error code of the last failure. */
  readonly lastCode: string | null;
}

interface OpenBreaker {
  readonly provider: string;
  readonly envScope: RealScope;
}

interface Key {
  readonly provider: string;
  readonly env_scope: RealScope;
}

interface EndedJob extends Key {
  readonly id: string;
  /** When it ended. */
  readonly at: number;
  /** Known when its end was written: whether its institution has a row. */
  readonly inTrouble: boolean;
}

const COLUMNS = [
  'provider',
  'env_scope',
  'failures',
  'open_until',
  'trial_job_id',
  'asked_until',
  'last_code',
] as const;

/** Whether the trial job is still running and its end will decide. */
const TRIAL_LIVES = sql<number>`(
  select count(*) from jobs where jobs.id = breakers.trial_job_id and ${NAMED.isUnfinished})`;

/** The number of rows for the institution of a job, one or none; read with the statement that ends the job. */
export const IN_TROUBLE = sql<number>`(
  select count(*) from breakers
  where breakers.provider = jobs.provider and breakers.env_scope = jobs.env_scope)`;

/**
 * Records what an ended job reveals about its institution. A row exists only while something is wrong,
 * so that endings at a healthy institution share no lock. The last of all locks.
 */
export async function recordOutcome(
  tx: Transaction,
  job: EndedJob,
  outcome: Outcome,
  code: string | undefined,
): Promise<void> {
  const { leaveAlone } = outcome;
  const verdict = verdictOf(outcome.status, code);
  // The other environment of a shared site learns of the wish only. In one order, so that no circle forms.
  const others = (leaveAlone?.envScopes ?? []).filter((each) => each !== job.env_scope);
  for (const env_scope of [job.env_scope, ...others].toSorted()) {
    const isOwn = env_scope === job.env_scope;
    const judged = { id: job.id, at: job.at, leaveAloneMs: leaveAlone?.ms };
    const own = { ...judged, verdict: isOwn ? verdict : ('unknown' as const) };
    await judge(tx, { ...job, env_scope }, own, code);
  }
}

async function judge(
  tx: Transaction,
  job: EndedJob,
  judged: JudgedJob,
  code: string | undefined,
): Promise<void> {
  const { verdict, leaveAloneMs } = judged;
  const isNews = verdict === 'failed' || leaveAloneMs !== undefined;
  if (isNews) {
    await tx.db
      .insertInto('breakers')
      .values({ ...keyOf(job), failures: '[]', open_until: null, trial_job_id: null })
      // To do nothing would not lock a row that a success is about to delete.
      .onConflict((conflict) =>
        conflict
          .columns(['provider', 'env_scope'])
          .doUpdateSet({ failures: sql`breakers.failures` }),
      )
      .execute();
  } else if (!job.inTrouble) {
    return;
  }
  if (!isNews && verdict === 'unknown') {
    if ((await select(tx, job))?.trial_job_id !== job.id) return;
  }
  const row = await select(tx, job, 'lock');
  const before = row ? fromRow(row) : CLOSED;
  const after = afterJob(before, judged);
  if (after === CLOSED) await tx.db.deleteFrom('breakers').where(isOf(job)).execute();
  else await save(tx, job, after, isNews ? code : undefined);
  // Jobs that waited for the institution may run again.
  if (before.openUntil !== null && after.openUntil === null)
    tx.signal({ kind: 'ready', pool: 'real' });
}

/** The institutions whose jobs are waiting. */
export async function openBreakers(tx: Transaction): Promise<readonly OpenBreaker[]> {
  return selectOpen(tx, {});
}

const selectOpen = compiled((tx) =>
  tx.db
    .selectFrom('breakers')
    .select(['provider', 'env_scope as envScope'])
    .where('open_until', 'is not', null),
);

/** Circuit breakers, for the list of institutions and for sweeps. */
export const breakerScripts = {
  /** Institutions in trouble: those that failed since their last answer. */
  list: read(async (tx): Promise<BreakerState[]> => {
    const rows = await tx.db.selectFrom('breakers').select(COLUMNS).execute();
    return rows.map((row) => ({
      provider: row.provider,
      envScope: row.env_scope,
      lastCode: row.last_code,
      ...fromRow(row),
    }));
  }),

  /** Lets one waiting job of each institution whose pause is over try it. Returns how many. */
  nominateTrials: write(async (tx): Promise<number> => {
    const open = await tx.db
      .selectFrom('breakers')
      .select(COLUMNS)
      .select(TRIAL_LIVES.as('trial_lives'))
      .where('open_until', 'is not', null)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    const now = open.length > 0 ? await tx.now() : 0;
    let count = 0;
    for (const row of open.filter((each) => awaitsTrial(withLivingTrial(each), now))) {
      const job = await tx.db
        .selectFrom('jobs')
        .select('id')
        .where('provider', '=', row.provider)
        .where('env_scope', '=', row.env_scope)
        .where(IS_READY)
        .where(IN_POOL.real)
        // One that may not start yet would keep all others waiting with it.
        .where(mayStart(tx))
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      if (job === undefined) continue;
      // It may be ending at this moment, unseen from here; the next sweep will notice.
      await save(tx, row, { ...fromRow(row), trialJobId: job.id });
      tx.signal({ kind: 'ready', pool: 'real' });
      count += 1;
    }
    return count;
  }),
};

async function select(tx: Transaction, job: Key, lock?: 'lock') {
  return tx.db
    .selectFrom('breakers')
    .select(COLUMNS)
    .where(isOf(job))
    .$if(lock !== undefined, (query) => query.modifyEnd(tx.dialect.forUpdate))
    .executeTakeFirst();
}

async function save(
  tx: Transaction,
  key: Key,
  breaker: Breaker,
  failedWith?: string,
): Promise<void> {
  await tx.db
    .updateTable('breakers')
    .set({
      failures: JSON.stringify(breaker.failures),
      open_until: breaker.openUntil,
      trial_job_id: breaker.trialJobId,
      asked_until: breaker.askedUntil,
      ...(failedWith === undefined ? {} : { last_code: failedWith }),
    })
    .where(isOf(key))
    .execute();
}

function isOf({ provider, env_scope }: Key) {
  return sql<boolean>`provider = ${provider} and env_scope = ${env_scope}`;
}

function keyOf({ provider, env_scope }: Key): Key {
  return { provider, env_scope };
}

function fromRow(row: Selectable<Database['breakers']>): Breaker {
  return {
    failures: JSON.parse(row.failures),
    openUntil: row.open_until,
    trialJobId: row.trial_job_id,
    askedUntil: row.asked_until,
  };
}

/** A trial that ended unnoticed no longer decides anything. */
function withLivingTrial(
  row: Selectable<Database['breakers']> & { readonly trial_lives: number },
): Breaker {
  const breaker = fromRow(row);
  return row.trial_lives > 0 ? breaker : { ...breaker, trialJobId: null };
}

export type BreakerStore = Callable<typeof breakerScripts>;
