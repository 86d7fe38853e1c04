import type { EnvScope } from '@changgu/contract';
import { type Selectable, sql } from 'kysely';
import { CLAIMED_PROGRESS, CLAIMED_TEXT } from '../../rules/jobs/progress.ts';
import { type Candidate, chooseFairly, fairShare } from '../../rules/lanes/fair-share.ts';
import type { Pool } from '../../rules/lanes/pool.ts';
import type { Database } from '../schema/tables.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { type Transaction, write } from '../transactions/script.ts';
import { addEvents } from './job-events.ts';
import { IN_POOL, IS_ADMITTED, IS_READY, IS_RUNNING } from './job-predicates.ts';

/** A job is taken over from a lost worker at most this often. */
export const MAX_TAKEOVERS = 2;

export interface ClaimInput {
  /** Who claims: one name per worker and start of its process. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly pool: Pool;
  /** Free slots: at most so many are claimed. */
  readonly limit: number;
  /** All slots of this worker's pool, for the fair share of an organization. */
  readonly slots: number;
  /** What this worker already runs in the pool: organization id and count. */
  readonly held: readonly (readonly [organizationId: number, count: number])[];
}

/** A job that now belongs to its claimer: all that is needed to run it. */
export interface ClaimedJob {
  readonly id: string;
  /** Tells this run of the job from those before it: how often it was taken over. */
  readonly attempt: number;
  readonly lane: string | null;
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly provider: string;
  readonly action: string;
  readonly accountLinkId: string | null;
  readonly bankAccountCredentialId: string | null;
  /** JSON as sent. */
  readonly params: string;
  /** Sealed JSON. */
  readonly encryptedFields: Uint8Array | null;
  readonly duplicateFields: string | null;
  readonly sandboxOutcome: string | null;
  /** W3C traceparent of the submission. */
  readonly traceContext: string | null;
  /** Business time. */
  readonly startedAt: number;
  /** From the claim to the deadline. */
  readonly remainingMs: number;
}

/**
 * Takes the oldest ready jobs, so that it costs the same whatever waits behind them. An
 * organization gets at most half of the slots while others wait.
 */
const claim = write(async (tx, input: ClaimInput): Promise<ClaimedJob[]> => {
  const { chosen, now } = await chooseReady(tx, input);
  if (chosen.length === 0) return [];
  const { owner, leaseMs } = input;
  const seqs = Object.fromEntries(chosen.map(({ seq }, index) => [`seq${index}`, seq]));
  const rows = await startRunning(tx, { ...seqs, owner, leaseMs, now }, String(chosen.length));
  for (const { id } of rows) tx.signal({ kind: 'progress', jobId: id });
  return rows.toSorted((a, b) => a.seq - b.seq).map((row) => toClaimedJob(row, now));
});

type StartValues = Readonly<Record<`seq${number}`, number>> & {
  readonly owner: string;
  readonly leaseMs: number;
  readonly now: number;
};

/** The variant is how many jobs. */
const startRunning = compiled((tx, slot: SlotOf<StartValues>, count: string) => {
  const startedAt = sql<number>`case when ready_at > ${slot('now')} then ready_at else ${slot('now')} end`;
  const seqs = Array.from({ length: Number(count) }, (_, index) => slot(`seq${index}`));
  return tx.db
    .updateTable('jobs')
    .set({
      status: sql.lit('RUNNING'),
      ready: sql.lit(0),
      progress: CLAIMED_PROGRESS,
      progress_message: CLAIMED_TEXT,
      lease_owner: slot('owner'),
      lease_until: leaseEnd(tx, slot('leaseMs')),
      started_at: startedAt,
      deadline_at: sql<number>`${startedAt} + timeout_seconds * 1000`,
    })
    .where('seq', 'in', seqs)
    .where(IS_READY)
    .returningAll();
});

/** Takes over running jobs whose worker lost its lease before the point of no return (D03). */
const takeOver = write(
  async (
    tx,
    input: Pick<ClaimInput, 'owner' | 'leaseMs' | 'pool' | 'limit'>,
  ): Promise<ClaimedJob[]> => {
    const now = await tx.now();
    const lost = await tx.db
      .selectFrom('jobs')
      .select('seq')
      .where(IS_RUNNING)
      .where(IN_POOL[input.pool])
      .where('lease_until', '<', await tx.realNow())
      .where('submit_step_at', 'is', null)
      .where('credential_sent_at', 'is', null)
      .where('cancel_requested', '=', 0)
      .where('takeovers', '<', MAX_TAKEOVERS)
      .where('deadline_at', '>', now)
      .orderBy('lease_until')
      .limit(input.limit)
      .modifyEnd(tx.dialect.skipLocked)
      .execute();
    if (lost.length === 0) return [];
    const rows = await tx.db
      .updateTable('jobs')
      .set((eb) => ({
        lease_owner: input.owner,
        lease_until: leaseEnd(tx, input.leaseMs),
        takeovers: eb('takeovers', '+', 1),
        retry_count: eb('retry_count', '+', 1),
      }))
      .where(
        'seq',
        'in',
        lost.map(({ seq }) => seq),
      )
      .where(IS_RUNNING)
      .returningAll()
      .execute();
    await addEvents(
      tx,
      rows.map((row) => ({ job_id: row.id, at: now, kind: 'taken_over' })),
    );
    for (const { id } of rows) tx.signal({ kind: 'progress', jobId: id });
    return rows.map((row) => toClaimedJob(row, now));
  },
);

export const claimScripts = { claim, takeOver };

function leaseEnd(tx: Transaction, leaseMs: number) {
  return sql<number>`${tx.dialect.clock} + ${leaseMs}`;
}

interface Choice {
  readonly chosen: readonly Candidate[];
  /** Business time as the first candidates were read. */
  readonly now: number;
}

async function chooseReady(tx: Transaction, input: ClaimInput): Promise<Choice> {
  const { pool, limit } = input;
  const oldest = await selectReady(tx, { limit, organizationId: 0 }, pool);
  const now = oldest[0]?.now ?? 0;
  const held = new Map(input.held);
  const share = fairShare(input.slots);
  const first = chooseFairly(oldest, held, share, limit);
  if (first.withheld.length === 0) return { chosen: first.chosen, now };

  const saturated = new Set(first.withheld.map(({ organizationId }) => organizationId));
  const others = await organizationsWaiting(tx, input, saturated);
  const candidates: Candidate[] = [];
  for (const organizationId of others) {
    candidates.push(...(await selectReady(tx, { limit, organizationId }, `${pool} of one`)));
  }
  const saturatedRows = oldest.filter(({ organizationId }) => saturated.has(organizationId));
  const { chosen } = chooseFairly([...saturatedRows, ...candidates], held, share, limit);
  const taken = new Set(chosen.map(({ seq }) => seq));
  // Slots that no other organization wants go to the oldest jobs.
  const spare = candidates.every(({ seq }) => taken.has(seq)) ? first.withheld : [];
  const all = [...chosen, ...spare.filter(({ seq }) => !taken.has(seq))];
  return { chosen: all.slice(0, limit), now };
}

type ReadyVariant = Pool | `${Pool} of one`;

const selectReady = compiled(
  (tx, slot: SlotOf<{ limit: number; organizationId: number }>, variant: ReadyVariant) =>
    tx.db
      .selectFrom('jobs')
      .select(['seq', 'organization_id as organizationId', tx.clock.as('now')])
      .where(IS_READY)
      .where(IN_POOL[variant.startsWith('real') ? 'real' : 'sandbox'])
      .where(sql<boolean>`(held_until is null or held_until <= ${tx.clock})`)
      .$if(variant.startsWith('real'), (query) => query.where(IS_ADMITTED))
      .$if(variant.endsWith('of one'), (query) =>
        // A range, so that the order names the organization too: only its own index gives that order.
        query
          .where('organization_id', '>=', slot('organizationId'))
          .where('organization_id', '<=', slot('organizationId'))
          .orderBy('organization_id'),
      )
      .orderBy('seq')
      .limit(slot('limit'))
      .modifyEnd(tx.dialect.skipLocked),
);

/** Whose jobs are ready, those with the oldest first: one index step per organization, not per job. */
async function organizationsWaiting(
  tx: Transaction,
  { pool, limit }: ClaimInput,
  without: ReadonlySet<number>,
): Promise<number[]> {
  const ready = sql`${IS_READY} and ${IN_POOL[pool]}`;
  const { rows } = await sql<{ organization_id: number; seq: number }>`
    with recursive heads (organization_id) as (
      select * from (select organization_id from jobs where ${ready} order by organization_id limit 1) as head
      union all
      select (select organization_id from jobs
        where ${ready} and jobs.organization_id > heads.organization_id
        order by organization_id limit 1)
      from heads where heads.organization_id is not null
    )
    select organization_id, (select seq from jobs
        where ${ready} and jobs.organization_id >= heads.organization_id
          and jobs.organization_id <= heads.organization_id
        order by organization_id, seq limit 1) as seq
    from heads where organization_id is not null`.execute(tx.db);
  return rows
    .filter(({ organization_id }) => !without.has(organization_id))
    .sort((a, b) => a.seq - b.seq)
    .slice(0, limit)
    .map(({ organization_id }) => organization_id);
}

function toClaimedJob(row: Selectable<Database['jobs']>, now: number): ClaimedJob {
  if (row.started_at === null || row.deadline_at === null) {
    throw new Error(`job ${row.id} is running but never started`);
  }
  return {
    id: row.id,
    attempt: row.takeovers,
    lane: row.lane,
    organizationId: row.organization_id,
    envScope: row.env_scope,
    provider: row.provider,
    action: row.action,
    accountLinkId: row.account_link_id,
    bankAccountCredentialId: row.bank_account_credential_id,
    params: row.params,
    encryptedFields: row.encrypted_fields,
    duplicateFields: row.duplicate_fields,
    sandboxOutcome: row.sandbox_outcome,
    traceContext: row.trace_context,
    startedAt: row.started_at,
    remainingMs: Math.max(0, row.deadline_at - now),
  };
}
