import type { EnvScope } from '@changgu/contract';
import { type Candidate, chooseFairly, fairShare } from '../../../rules/claiming/fair-share.ts';
import type { Pool } from '../../../rules/claiming/pool.ts';
import type { Transaction } from '../../transactions/script.ts';
import { openBreakers } from '../breakers.ts';
import { type KnownWork, NOTHING_KNOWN, oldestWork } from '../known-work.ts';
import {
  type Gap,
  REAL_SCOPES,
  type Ready,
  selectAdmitted,
  selectOrganizations,
  selectProviders,
  selectReady,
} from './ready-statements.ts';

export interface ReadyJobsInput {
  readonly pool: Pool;
  /** Free slots: the maximum number of jobs to choose. */
  readonly limit: number;
  /** All slots of this worker's pool, for the fair share of an organization. */
  readonly slots: number;
  /**
   * No job older than this one is ready, as far as the worker knows; 0 when it knows nothing. A claim can
   * then skip the dead rows of all jobs claimed before, which vacuum may not have removed.
   */
  readonly from?: number;
  /** What is known when `from` is not. */
  readonly since?: KnownWork;
  /** What this worker already runs in the pool: organization id and number of jobs. */
  readonly held: readonly (readonly [organizationId: number, count: number])[];
}

export interface Choice {
  readonly chosen: readonly Candidate[];
  /** Business time of the first candidates' read. */
  readonly now: number;
  /** The `from` of the next claim, unless the worker hears of older jobs. */
  readonly next: number;
  /** The `since` of the next claim, if this one found out. */
  readonly since?: KnownWork;
}

interface Institution {
  readonly provider: string;
  readonly envScope: EnvScope;
}

/**
 * Chooses the oldest ready jobs. The cost depends neither on the queue behind them nor on what an open
 * breaker holds back: the jobs of its institution are never read.
 */
export async function chooseReady(tx: Transaction, input: ReadyJobsInput): Promise<Choice> {
  const { from = 0, since = NOTHING_KNOWN } = input;
  if (from > 0 || tx.dialect.name === 'sqlite') return chooseFrom(tx, input, from);
  const oldest = await oldestWork(tx, input.pool, since);
  return { ...(await chooseFrom(tx, input, oldest.from)), since: oldest.known };
}

async function chooseFrom(tx: Transaction, input: ReadyJobsInput, from: number): Promise<Choice> {
  const { pool, limit } = input;
  const heads = await oldestHeads(tx, pool, limit, from);
  const now = heads[0]?.now ?? 0;
  const choice = (chosen: readonly Candidate[]) => ({
    chosen,
    now,
    next: nextFrom(heads, chosen, { limit, from }),
  });
  const held = new Map(input.held);
  const share = fairShare(input.slots);
  const first = chooseFairly(heads, held, share, limit);
  if (first.withheld.length === 0) return choice(first.chosen);

  const saturated = new Set(first.withheld.map(({ organizationId }) => organizationId));
  const institutions = await institutionsAdmitted(tx, pool, from);
  const others = await oldestOfOthers(tx, institutions, saturated, { limit, from });
  // Trial jobs are among the heads only.
  const candidates = new Map([...heads, ...others].map((each) => [each.seq, each]));
  const { chosen, withheld } = chooseFairly([...candidates.values()], held, share, limit);
  const taken = new Set(chosen.map(({ seq }) => seq));
  // Unclaimed slots go to the organization with the oldest jobs.
  const spare = chosen.length + withheld.length === candidates.size ? withheld : [];
  const all = [...chosen, ...spare.filter(({ seq }) => !taken.has(seq))];
  return choice(all.slice(0, limit));
}

/** Behind all jobs seen, or at the oldest that remains of them, or may remain behind those of an institution. */
function nextFrom(
  seen: readonly Ready[],
  chosen: readonly Candidate[],
  { limit, from }: { readonly limit: number; readonly from: number },
): number {
  const taken = new Set(chosen.map(({ seq }) => seq));
  const left = seen.filter(({ seq }) => !taken.has(seq)).slice(0, 1);
  const lists = [...Map.groupBy(seen, ({ institution }) => institution).values()];
  const unseen = lists.filter((heads) => heads.length >= limit).flatMap((heads) => behind(heads));
  const next = [...left.map(({ seq }) => seq), ...unseen, ...behind(seen)];
  return next.length > 0 ? Math.min(...next) : from;
}

function behind(heads: readonly Ready[]): number[] {
  return heads.slice(-1).map(({ seq }) => seq + 1);
}

/**
 * The oldest ready jobs of the pool, oldest first, without those that an open breaker holds back. While one is open,
 * that many of each institution and all trial jobs, which may be younger.
 */
async function oldestHeads(
  tx: Transaction,
  pool: Pool,
  limit: number,
  from: number,
): Promise<readonly Ready[]> {
  const slots = { limit, from, provider: '', envScope: 'real_test' as const, organizationId: 0 };
  const oldest = await selectReady(tx, slots, pool);
  if (pool === 'sandbox' || oldest.length > 0) return oldest;
  // None is ready, or a breaker is open.
  const admitted = await selectAdmitted(tx, { limit, from });
  return admitted.toSorted((a, b) => a.seq - b.seq);
}

/** Where ready jobs may be claimed; null is the whole sandbox, which has no breakers. */
async function institutionsAdmitted(
  tx: Transaction,
  pool: Pool,
  from: number,
): Promise<readonly (Institution | null)[]> {
  if (pool === 'sandbox') return [null];
  const [open, waiting] = await Promise.all([openBreakers(tx), institutionsWaiting(tx, from)]);
  const closed = new Set(open.map(keyOf));
  return waiting.filter((each) => !closed.has(keyOf(each)));
}

/** The institutions with ready jobs, and possibly some without: one index step each instead of one per job. */
async function institutionsWaiting(tx: Transaction, from: number): Promise<Institution[]> {
  const rows = await selectProviders(tx, { from });
  return rows.flatMap(({ provider }) => REAL_SCOPES.map((envScope) => ({ provider, envScope })));
}

interface Waiting {
  readonly institution: Institution | null;
  readonly organizationId: number;
  readonly seq: number;
}

/** The oldest jobs of the unsaturated organizations, those with the oldest first. */
async function oldestOfOthers(
  tx: Transaction,
  institutions: readonly (Institution | null)[],
  saturated: ReadonlySet<number>,
  { limit, from }: { readonly limit: number; readonly from: number },
): Promise<Candidate[]> {
  // Sent together: none of them depends on another's answer.
  const waiting = await Promise.all(
    institutions.flatMap((institution) =>
      gaps(saturated).map((gap) => organizationsWaiting(tx, { institution, from, ...gap })),
    ),
  );
  const others = waiting.flat().sort((a, b) => a.seq - b.seq);
  const organizations = [...Map.groupBy(others, (each) => each.organizationId)].slice(0, limit);
  const candidates = await Promise.all(
    organizations.flatMap(([, lines]) =>
      lines.map(async ({ institution, organizationId }) => {
        const { provider, envScope } = institution ?? { provider: '', envScope: 'sandbox' };
        const variant = institution === null ? 'sandbox organization' : 'organization';
        return selectReady(tx, { limit, from, provider, envScope, organizationId }, variant);
      }),
    ),
  );
  return candidates.flat();
}

/** The ids of the other organizations: saturated ones have the most jobs and are skipped. */
function gaps(saturated: ReadonlySet<number>): Gap[] {
  const bounds = [-1, ...[...saturated].toSorted((a, b) => a - b), MAX_ID];
  return bounds.slice(1).map((below, n) => ({ above: bounds[n] ?? -1, below }));
}

/** Higher than any organization's id, which is a 32-bit integer. */
const MAX_ID = 2_147_483_647;

interface WaitingQuery extends Gap {
  readonly institution: Institution | null;
  readonly from: number;
}

/** The organizations with ready jobs and the oldest job of each. */
async function organizationsWaiting(
  tx: Transaction,
  { institution, from, above, below }: WaitingQuery,
): Promise<Waiting[]> {
  const { provider, envScope } = institution ?? { provider: '', envScope: 'sandbox' };
  const pool = institution === null ? 'sandbox' : 'real';
  const rows = await selectOrganizations(tx, { provider, envScope, from, above, below }, pool);
  return rows.map((row) => ({ institution, ...row }));
}

function keyOf({ provider, envScope }: { provider: string; envScope: string }): string {
  return `${provider} ${envScope}`;
}
