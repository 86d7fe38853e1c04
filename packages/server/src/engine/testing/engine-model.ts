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

interface TestWorker {
  readonly owner: string;
  held: ClaimedJob[];
}

/** One organization with links and workers, and what its workers believe. */
export class EngineModel {
  /** Jobs ended by a worker that had lost them; must stay empty. */
  readonly stolen: string[] = [];
  /** How often each job passed its point of no return. */
  readonly passes = new Map<string, number>();
  readonly organizationId: number;
  readonly #world: JobWorld;
  readonly #sweeper: Sweeper;
  readonly #links: string[];
  readonly #jobs: string[] = [];
  /** The latest run of each job. */
  readonly #latest = new Map<string, ClaimedJob>();
  readonly #workers: TestWorker[];
  #starts = 0;

  constructor(world: JobWorld, sweeper: Sweeper, organizationId: number, links: string[]) {
    this.#world = world;
    this.#sweeper = sweeper;
    this.organizationId = organizationId;
    this.#links = links;
    this.#workers = Array.from({ length: WORKERS }, () => this.#newWorker());
  }

  async act(each: EngineAct): Promise<void> {
    switch (each.kind) {
      case 'submit':
        return this.#submit(each);
      case 'claim':
        return this.#claim(this.#workerAt(each.worker), each.limit);
      case 'finish':
        return this.#finish(this.#workerAt(each.worker), each.job, each.how);
      case 'passPoint':
        return this.#passPoint(this.#workerAt(each.worker), each.job);
      case 'cancel':
        return this.#cancel(each.job);
      case 'crash':
        return this.#crash(each.worker);
      case 'stall':
        return this.#stall(this.#workerAt(each.worker));
      case 'takeOver':
        return this.#takeOver(this.#workerAt(each.worker));
      case 'beat':
        return this.#beat(this.#workerAt(each.worker));
      case 'unlink':
        return this.#unlink(each.link);
      case 'wait':
        return this.#sweepAfter(each.seconds);
      case 'clockStep':
        return stepClock(this.#world, each.seconds);
    }
  }

  /** Runs workers and sweeps until nothing is left to do. */
  async drain(): Promise<void> {
    for (let worker = 0; worker < WORKERS; worker += 1) await this.#crash(worker);
    await this.#sweeper.tidy();
    const worker = this.#workerAt(0);
    for (;;) {
      // Longer than a run and its lease, shorter than the queue limit of a new job.
      await this.#sweepAfter(95);
      await this.#takeOver(worker);
      await this.#claim(worker, 50);
      if (worker.held.length === 0 && !(await this.#hasUnfinished())) return;
      while (worker.held.length > 0) await this.#finish(worker, 0, 0);
    }
  }

  #newWorker(): TestWorker {
    this.#starts += 1;
    return { owner: `worker-${this.organizationId}-${this.#starts}`, held: [] };
  }

  #workerAt(index: number): TestWorker {
    return this.#workers[index % WORKERS] ?? this.#newWorker();
  }

  async #submit(act: Extract<EngineAct, { kind: 'submit' }>): Promise<void> {
    const linkId = this.#links[act.link] ?? null;
    const envScope: EnvScope = act.scope === 0 ? 'production' : 'real_test';
    const action = linkId === null ? 'tax_portal.s1.login' : 'bank_b.accounts.list';
    const usageTokens = 1 + (act.link % 3);
    // In seconds, short enough that some jobs expire: 100 queued, 60 running.
    const limits = { queueLimitSeconds: 100, timeoutSeconds: 60 };
    const job = {
      organizationId: this.organizationId,
      linkId,
      envScope,
      action,
      usageTokens,
      ...limits,
    };
    // Refused when the link is removed at the same moment.
    const id = await this.#world.submit(job).catch(unlessCode('ACCOUNT_LINK_NOT_FOUND'));
    if (id !== undefined) this.#jobs.push(id);
  }

  async #finish(worker: TestWorker, index: number, how: number) {
    const [job] = worker.held.splice(index % Math.max(1, worker.held.length), 1);
    if (!job) return;
    const lost = this.#latest.get(job.id) !== job;
    const finished = await this.#world.finish(worker.owner, job, OUTCOMES[how % OUTCOMES.length]);
    if (lost && finished) this.stolen.push(job.id);
  }

  async #passPoint(worker: TestWorker, index: number): Promise<void> {
    const job = worker.held[index % Math.max(1, worker.held.length)];
    if (!job) return;
    const answer = await this.#world.store.engine.passPointOfNoReturn({
      ...job,
      owner: worker.owner,
    });
    if (answer === 'passed') this.passes.set(job.id, (this.passes.get(job.id) ?? 0) + 1);
  }

  /** The worker is gone, and its leases run out. */
  async #crash(index: number): Promise<void> {
    const worker = this.#workerAt(index);
    this.#workers[index % WORKERS] = this.#newWorker();
    await this.#stall(worker);
  }

  /** The worker's leases run out without its knowledge. */
  async #stall({ owner }: TestWorker): Promise<void> {
    await this.#world.db
      .updateTable('jobs')
      .set({ lease_until: 1 })
      .where('lease_owner', '=', owner)
      .execute();
  }

  #keep(worker: TestWorker, jobs: readonly ClaimedJob[]): void {
    worker.held.push(...jobs);
    for (const job of jobs) this.#latest.set(job.id, job);
  }

  async #claim(worker: TestWorker, limit: number): Promise<void> {
    this.#keep(worker, await this.#world.claim(worker.owner, { limit, slots: 8 }));
  }

  async #takeOver(worker: TestWorker): Promise<void> {
    const lost = { owner: worker.owner, leaseMs: LEASE_MS, pool: 'real' as const, limit: 5 };
    this.#keep(worker, await this.#world.store.engine.takeOver(lost));
  }

  async #beat(worker: TestWorker): Promise<void> {
    const held = worker.held.map(({ id }) => id);
    const rows = await this.#world.store.engine.heartbeat({
      owner: worker.owner,
      ids: held,
      leaseMs: LEASE_MS,
    });
    const mine = new Set(rows.map(({ id }) => id));
    worker.held = worker.held.filter(({ id }) => mine.has(id));
  }

  async #cancel(index: number): Promise<void> {
    const jobId = this.#jobs[index % Math.max(1, this.#jobs.length)];
    if (jobId === undefined) return;
    const { env_scope: envScope } = await this.#world.row(jobId);
    const access = { organizationId: this.organizationId, envScope, submittedBy: null };
    // Refused when the job has ended or passed its point of no return.
    await this.#world.store.jobs
      .cancel({ access, jobId })
      .catch(unlessCode('JOB_ALREADY_FINISHED', 'JOB_NOT_CANCELABLE'));
  }

  async #unlink(index: number): Promise<void> {
    const id = this.#links[index % LINKS];
    if (id === undefined) return;
    this.#links[index % LINKS] = await this.#world.link(this.organizationId);
    const actor = { kind: 'console_user' as const, id: 'u', traceId: null };
    await this.#world.store.unlink.unlink({
      id,
      organizationId: this.organizationId,
      reason: 'user_request',
      actor,
    });
  }

  async #sweepAfter(seconds: number): Promise<void> {
    await this.#world.store.clock.advance({ seconds });
    await this.#sweeper.endDue();
  }

  async #hasUnfinished(): Promise<boolean> {
    const row = await this.#world.db
      .selectFrom('jobs')
      .select('id')
      .where('organization_id', '=', this.organizationId)
      .where('finished_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }
}

export async function createEngineModel(world: JobWorld, sweeper: Sweeper): Promise<EngineModel> {
  const organizationId = await world.organization();
  const links: string[] = [];
  for (let i = 0; i < LINKS; i += 1) links.push(await world.link(organizationId));
  return new EngineModel(world, sweeper, organizationId, links);
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
