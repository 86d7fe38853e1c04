import type { Claim, ClaimedJob } from '../../store/queue/claims.ts';
import type { FinishInput, Mark } from '../../store/queue/runs.ts';
import type { MemoryStore } from '../../store/testing/memory-store.ts';

/** Watches commits in their order and records violations. */
export interface Judge {
  readonly findings: readonly string[];
  committed(script: string, input: unknown, value: unknown): void;
  /** A connector did something irreversible. */
  tookEffect(jobId: string): void;
  /** Called after everything has come to rest. */
  atRest(store: MemoryStore): Promise<void>;
}

export function createJudge(): Judge {
  const findings: string[] = [];
  /** The owner of each job's latest run. */
  const runs = new Map<string, string>();
  const lanes = new Map<string, string>();
  const effects = new Map<string, number>();
  const passed = new Set<string>();

  function started(job: ClaimedJob, owner: string, how: 'claimed' | 'taken over'): void {
    runs.set(job.id, `${owner} ${job.attempt}`);
    if (passed.has(job.id)) findings.push(`${job.id} was ${how} after its point of no return`);
    if (job.lane === null) return;
    const other = lanes.get(job.lane);
    if (other !== undefined && other !== job.id) findings.push(`${other} ran beside ${job.id}`);
    lanes.set(job.lane, job.id);
  }

  function ended(jobId: string): void {
    for (const [lane, running] of lanes) if (running === jobId) lanes.delete(lane);
  }

  return {
    findings,
    // The arguments and answers of scripts are recognized by their names.
    committed(script, input, value) {
      if (script === 'claim' || script === 'takeOver') {
        const { owner } = input as { owner: string };
        const jobs = script === 'claim' ? (value as Claim).jobs : (value as ClaimedJob[]);
        for (const job of jobs) started(job, owner, script === 'claim' ? 'claimed' : 'taken over');
      }
      if (script === 'finish' && value === true) {
        const { id, owner, attempt } = input as FinishInput;
        if (runs.get(id) !== `${owner} ${attempt}`) findings.push(`${id} was ended by a lost run`);
        ended(id);
      }
      if (script === 'passPointOfNoReturn' && (value as Mark) === 'passed') {
        const { id } = input as FinishInput;
        if (passed.has(id)) findings.push(`${id} passed its point of no return twice`);
        passed.add(id);
      }
      if (script === 'endDue' && value === true) ended((input as { id: string }).id);
    },
    tookEffect(jobId) {
      effects.set(jobId, (effects.get(jobId) ?? 0) + 1);
      if (effects.get(jobId) !== 1) findings.push(`${jobId} took effect twice`);
    },
    async atRest(store) {
      findings.push(...(await unfinished(store, effects)), ...(await miscounted(store)));
    },
  };
}

/** Jobs that never ended, or succeeded without the effect that they report. */
async function unfinished(
  { db }: MemoryStore,
  effects: ReadonlyMap<string, number>,
): Promise<string[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'status', 'action', 'finished_at'])
    .execute();
  return jobs.flatMap(({ id, status, action, finished_at }) => {
    if (finished_at === null) return [`${id} never ended`];
    const lacksEffect = status === 'SUCCEEDED' && action.includes('.c1.') && !effects.has(id);
    return lacksEffect ? [`${id} succeeded and had no effect`] : [];
  });
}

/** Tokens are used by jobs that started, and held by those that may still start. */
async function miscounted({ db }: MemoryStore): Promise<string[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['usage_tokens', 'started_at', 'finished_at'])
    .execute();
  const charged = jobs
    .filter((job) => job.started_at !== null || job.finished_at === null)
    .reduce((sum, job) => sum + job.usage_tokens, 0);
  const usage = await db
    .selectFrom('usage')
    .select('used')
    .where('period', 'like', 'day:%')
    .execute();
  const used = usage.reduce((sum, row) => sum + row.used, 0);
  return used === charged ? [] : [`${used} tokens were used and ${charged} charged`];
}
