import { type Selectable, sql } from 'kysely';
import { poolOf } from '../../../rules/claiming/pool.ts';
import type { Database } from '../../schema/tables.ts';
import { compiled, type SlotOf } from '../../transactions/compiled.ts';
import {
  isAmong,
  type RecordFields,
  records,
  recordType,
  toRecords,
} from '../../transactions/records.ts';
import type { Transaction } from '../../transactions/script.ts';
import { IS_WAITING } from '../job-predicates.ts';
import { laneIsHeld, nextTurn } from './lane-turns.ts';
import { heldUntil } from './login-spacing.ts';

/** The job that ended, for whoever comes after it. */
interface Predecessor {
  readonly seq: number;
  /** When it ended. */
  readonly at: number;
}

/**
 * Makes the oldest waiting job of a lane its head, unless the lane has a head or a running job.
 * The caller holds the lane's lock. A lane is ordered by `seq`, so the successor of the ended job is
 * found without scanning the dead rows of earlier ones.
 */
export async function promoteNext(
  tx: Transaction,
  lane: string,
  before?: Predecessor,
): Promise<boolean> {
  const { seq, at } = before ?? { seq: 0, at: await tx.now() };
  const [promoted] = await promote(tx, { lane, after: seq, at });
  if (promoted === undefined) return false;
  tx.signal({ kind: 'ready', pool: poolOf(promoted.env_scope), seq: promoted.seq });
  return true;
}

const promote = compiled((tx, slot: SlotOf<{ lane: string; after: number; at: number }>) =>
  tx.db
    .updateTable('jobs')
    .set({
      ready: sql.lit(1),
      ready_at: slot('at'),
      turn: nextTurn(tx, slot('lane')),
      held_until: heldUntil(sql.ref('jobs.account_link_id'), sql.ref('jobs.env_scope')),
    })
    .where('seq', '=', (eb) =>
      eb
        .selectFrom('jobs')
        .select('seq')
        // A range, so that the order names the lane too: only the lane index provides that order.
        .where('lane', '>=', slot('lane'))
        .where('lane', '<=', slot('lane'))
        .where('seq', '>', slot('after'))
        .where(IS_WAITING)
        .orderBy('lane')
        .orderBy('seq')
        .limit(sql.lit(1)),
    )
    .where(sql<boolean>`not ${laneIsHeld(tx, slot('lane'))}`)
    .returning(['env_scope', 'seq']),
);

/** `promoteNext` for several lanes, each behind its job that ended before in this transaction. PostgreSQL only. */
export async function promoteAll(
  tx: Transaction,
  lanes: ReadonlyMap<string, string>,
): Promise<void> {
  if (lanes.size === 0) return;
  const lines = [...lanes].map(([lane, jobId]) => ({ lane, jobId }));
  const promoted = await promoteMany(tx, { lines: toRecords(PROMOTE_FIELDS, lines.entries()) });
  for (const [pool, heads] of Map.groupBy(promoted, (head) => poolOf(head.env_scope))) {
    tx.signal({ kind: 'ready', pool, seq: Math.min(...heads.map(({ seq }) => seq)) });
  }
}

const PROMOTE_FIELDS = { lane: 'text', jobId: 'text' } as const satisfies RecordFields;

const promoteMany = compiled((tx, slot: SlotOf<{ lines: string }>) => {
  const lines = sql`${records(slot('lines'))} as ${recordType(PROMOTE_FIELDS)}`;
  // `offset 0`: each line looks its job up by the index, however few jobs there were at planning time.
  const statement = sql<Pick<Selectable<Database['jobs']>, 'env_scope' | 'seq'>>`
    with next as materialized (
      select waiting.seq, ended.finished_at as at, ${nextTurn(tx, sql`line.lane`)} as turn from ${lines}
      cross join lateral (select seq, finished_at from jobs
        where id = line."jobId" and finished_at is not null offset 0) as ended
      cross join lateral (select seq from jobs
        where lane >= line.lane and lane <= line.lane and seq > ended.seq and ${IS_WAITING}
        order by lane, seq limit 1) as waiting
      where not ${laneIsHeld(tx, sql`line.lane`)})
    update jobs set ready = 1, ready_at = next.at, turn = next.turn,
      held_until = ${heldUntil(sql.ref('jobs.account_link_id'), sql.ref('jobs.env_scope'))}
    from next
    where ${isAmong('jobs.seq', sql`array(select seq from next)`, 'bigint')} and jobs.seq = next.seq
    returning jobs.env_scope, jobs.seq`;
  return { compile: () => statement.compile(tx.db) };
});
