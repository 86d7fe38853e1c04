import type { EnvScope, ErrorCode } from '@changgu/contract';
import { CANCELED, failed } from '../../rules/endings/endings.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { ClaimedJob } from '../../store/queue/claims.ts';
import { type JobWorld, LEASE_MS } from '../../store/testing/job-world.ts';
import type { Sweeper } from '../sweeper.ts';

/** What can happen to jobs, in any order. Numbers select one of the existing items. */
export type EngineAct =
  | { readonly kind: 'submit'; readonly link: number; readonly scope: number }
  | { readonly kind: 'claim'; readonly worker: number; readonly limit: number }
  | { readonly kind: 'finish'; readonly worker: number; readonly job: number; readonly how: number }
  | { readonly kind: 'passPoint'; readonly worker: number; readonly job: number }
  | { readonly kind: 'cancel'; readonly job: number }
  | { readonly kind: 'crash'; readonly worker: number }
  | { readonly kind: 'stall'; readonly worker: number }
  | { readonly kind: 'takeOver'; readonly worker: number }
  | { readonly kind: 'beat'; readonly worker: number }
  | { readonly kind: 'unlink'; readonly link: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'clockStep'; readonly seconds: number };

// Few, so that jobs share lanes and workers compete for jobs.
const LINKS = 2;
const WORKERS = 2;

const OUTCOMES = [
  { status: 'SUCCEEDED', error: null, result: null, resultAsFile: false },
  failed({ code: 'PROVIDER_VALIDATION_ERROR', irreversible: false }),
  failed({ code: 'PROVIDER_UPSTREAM_ERROR', irreversible: false }),
  CANCELED,
] as const;

/** One organization with links and workers, and what its workers believe. */
export interface EngineModel {
  readonly organizationId: number;
  act(act: EngineAct): Promise<void>;
  /** Jobs ended by a worker that had lost them; must stay empty. */
  readonly stolen: readonly string[];
  /** How often each job passed its point of no return. */
  readonly passes: ReadonlyMap<string, number>;
  /** Runs workers and sweeps until nothing is left to do. */
  drain(): Promise<void>;
}

interface TestWorker {
  readonly owner: string;
  held: ClaimedJob[];
}

export async function createEngineModel(world: JobWorld, sweeper: Sweeper): Promise<EngineModel> {
  const { store, db } = world;
  const organizationId = await world.organization();
  const links: string[] = [];
  for (let i = 0; i < LINKS; i += 1) links.push(await world.link(organizationId));
  const ids: string[] = [];
  const passes = new Map<string, number>();
  const stolen: string[] = [];
  /** The owner of each job's latest run. */
  const latest = new Map<string, ClaimedJob>();
  let starts = 0;
  const newWorker = (): TestWorker => {
    starts += 1;
    return { owner: `worker-${organizationId}-${starts}`, held: [] };
  };
  const workers = Array.from({ length: WORKERS }, newWorker);

  const workerAt = (index: number) => workers[index % WORKERS] ?? newWorker();

  async function submit(act: Extract<EngineAct, { kind: 'submit' }>): Promise<void> {
    const linkId = links[act.link] ?? null;
    const envScope: EnvScope = act.scope === 0 ? 'production' : 'real_test';
    const action = linkId === null ? 'tax_portal.s1.login' : 'bank_b.accounts.list';
    const usageTokens = 1 + (act.link % 3);
    // In seconds, short enough that some jobs expire: 100 queued, 60 running.
    const limits = { queueLimitSeconds: 100, timeoutSeconds: 60 };
    const job = { organizationId, linkId, envScope, action, usageTokens, ...limits };
    // Refused when the link is removed at the same moment.
    const id = await world.submit(job).catch(unlessCode('ACCOUNT_LINK_NOT_FOUND'));
    if (id !== undefined) ids.push(id);
  }

  async function finish(worker: TestWorker, index: number, how: number) {
    const [job] = worker.held.splice(index % Math.max(1, worker.held.length), 1);
    if (!job) return;
    const lost = latest.get(job.id) !== job;
    const finished = await world.finish(worker.owner, job, OUTCOMES[how % OUTCOMES.length]);
    if (lost && finished) stolen.push(job.id);
  }

  async function passPoint(worker: TestWorker, index: number): Promise<void> {
    const job = worker.held[index % Math.max(1, worker.held.length)];
    if (!job) return;
    const answer = await store.engine.passPointOfNoReturn({ ...job, owner: worker.owner });
    if (answer === 'passed') passes.set(job.id, (passes.get(job.id) ?? 0) + 1);
  }

  /** The worker is gone, and its leases run out. */
  async function crash(index: number): Promise<void> {
    const worker = workerAt(index);
    workers[index % WORKERS] = newWorker();
    await stall(worker);
  }

  /** The worker's leases run out without its knowledge. */
  async function stall({ owner }: TestWorker): Promise<void> {
    await db.updateTable('jobs').set({ lease_until: 1 }).where('lease_owner', '=', owner).execute();
  }

  function keep(worker: TestWorker, jobs: readonly ClaimedJob[]): void {
    worker.held.push(...jobs);
    for (const job of jobs) latest.set(job.id, job);
  }

  async function take(worker: TestWorker, limit: number): Promise<void> {
    keep(worker, await world.claim(worker.owner, { limit, slots: 8 }));
  }

  async function takeOver(worker: TestWorker): Promise<void> {
    const lost = { owner: worker.owner, leaseMs: LEASE_MS, pool: 'real' as const, limit: 5 };
    keep(worker, await store.engine.takeOver(lost));
  }

  async function beat(worker: TestWorker): Promise<void> {
    const held = worker.held.map(({ id }) => id);
    const rows = await store.engine.heartbeat({
      owner: worker.owner,
      ids: held,
      leaseMs: LEASE_MS,
    });
    const mine = new Set(rows.map(({ id }) => id));
    worker.held = worker.held.filter(({ id }) => mine.has(id));
  }

  async function cancel(index: number): Promise<void> {
    const jobId = ids[index % Math.max(1, ids.length)];
    if (jobId === undefined) return;
    const { env_scope: envScope } = await world.row(jobId);
    const access = { organizationId, envScope, submittedBy: null };
    // Refused when the job has ended or passed its point of no return.
    await store.jobs
      .cancel({ access, jobId })
      .catch(unlessCode('JOB_ALREADY_FINISHED', 'JOB_NOT_CANCELABLE'));
  }

  async function unlink(index: number): Promise<void> {
    const id = links[index % LINKS];
    if (id === undefined) return;
    links[index % LINKS] = await world.link(organizationId);
    const actor = { kind: 'console_user' as const, id: 'u', traceId: null };
    await store.unlink.unlink({ id, organizationId, reason: 'user_request', actor });
  }

  async function sweepAfter(seconds: number): Promise<void> {
    await store.clock.advance({ seconds });
    await sweeper.endDue();
  }

  async function act(each: EngineAct): Promise<void> {
    switch (each.kind) {
      case 'submit':
        return submit(each);
      case 'claim':
        return take(workerAt(each.worker), each.limit);
      case 'finish':
        return finish(workerAt(each.worker), each.job, each.how);
      case 'passPoint':
        return passPoint(workerAt(each.worker), each.job);
      case 'cancel':
        return cancel(each.job);
      case 'crash':
        return crash(each.worker);
      case 'stall':
        return stall(workerAt(each.worker));
      case 'takeOver':
        return takeOver(workerAt(each.worker));
      case 'beat':
        return beat(workerAt(each.worker));
      case 'unlink':
        return unlink(each.link);
      case 'wait':
        return sweepAfter(each.seconds);
      case 'clockStep':
        return stepClock(world, each.seconds);
    }
  }

  async function drain(): Promise<void> {
    for (let worker = 0; worker < WORKERS; worker += 1) await crash(worker);
    await sweeper.tidy();
    const worker = workerAt(0);
    for (;;) {
      // Longer than a run and its lease, shorter than the queue limit of a new job.
      await sweepAfter(95);
      await takeOver(worker);
      await take(worker, 50);
      if (worker.held.length === 0 && !(await hasUnfinished())) return;
      while (worker.held.length > 0) await finish(worker, 0, 0);
    }
  }

  async function hasUnfinished(): Promise<boolean> {
    const row = await db
      .selectFrom('jobs')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('finished_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  return { organizationId, act, passes, stolen, drain };
}

/** The database's clock is set, possibly backwards. */
async function stepClock({ db, store }: JobWorld, seconds: number): Promise<void> {
  await store.clock.advance({ seconds: 0 });
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'clock_offset_ms')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('settings')
    .set({ value: String(Number(row.value) + seconds * 1_000) })
    .where('name', '=', 'clock_offset_ms')
    .execute();
}

/** Ignores refusals that the rules allow; any other error is a finding. */
function unlessCode(...allowed: readonly ErrorCode[]) {
  return (error: unknown): undefined => {
    if (error instanceof ServiceError && allowed.includes(error.code)) return undefined;
    throw error;
  };
}
