import { DAY_MS } from '../../rules/durations.ts';
import { CANCELED, failed } from '../../rules/endings/endings.ts';
import type { BreakerStore } from '../../store/queue/breakers.ts';
import type { EngineStore } from '../../store/queue/engine-scripts.ts';
import { SUCCEEDED, submissionOf } from '../../store/testing/job-world.ts';
import { type MemoryStore, openMemoryStore } from '../../store/testing/memory-store.ts';
import type { Signal } from '../../store/transactions/script.ts';
import { pause, type Timers } from '../../timers.ts';
import { JobStopped } from '../job-stopped.ts';
import type { RunJob } from '../run.ts';
import { runOf } from '../run-dependencies.ts';
import { createSweeper } from '../sweeper.ts';
import { startWorker } from '../worker/worker.ts';
import { type Agenda, createAgenda, type Process } from './agenda.ts';
import { createJudge, type Judge } from './simulation-judge.ts';

const LEASE_MS = 3_000;
const WORKERS = 2;
const LINKS = 2;
const JOBS = 12;
/** Faults happen until then; afterwards everything must finish. */
const TROUBLE_MS = 12_000;
const REST_MS = 400_000;
/** How often a request is lost, and equally often an answer. */
const LOSS = 0.03;
const ANSWER_MS = 2_000;
const START = Date.UTC(2026, 10, 21, 3);
const READ = 'bank_b.accounts.list';
const ISSUE = 'tax_portal.c1.business_registration';
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Changes a call on its way to the database, to prove that the simulation notices. */
export type Tamper = (store: MemoryStore, script: string, input: unknown) => unknown;

interface World {
  readonly agenda: Agenda;
  readonly store: MemoryStore;
  readonly judge: Judge;
  readonly tamper: Tamper;
  readonly listeners: Map<Process, (signal: Signal) => void>;
}

/**
 * Several real workers and their sweeps on one store with real scripts. The seed decides when messages arrive
 * or get lost, which worker is stopped or killed, and how the database's clock is set.
 * @returns violations, in the order in which they were found
 */
export async function simulate(
  seed: number,
  tamper: Tamper = (_store, _script, input) => input,
): Promise<readonly string[]> {
  const agenda = createAgenda(seed);
  let clockSetBy = 0;
  const store = await cleanStore(() => START + Math.floor(agenda.now()) + clockSetBy);
  const world = { agenda, store, tamper, judge: createJudge(), listeners: new Map() };
  const jitter = Math.random;
  Math.random = agenda.random;
  try {
    await planSubmissions(world);
    const processes = Array.from({ length: WORKERS }, (_, n) => startProcess(world, `w${n}`));
    planTrouble(world, processes, (ms) => {
      clockSetBy += ms;
    });
    await agenda.run(TROUBLE_MS, () => world.judge.findings.length > 0);
    const unfinished = store.raw.prepare('select 1 from jobs where finished_at is null limit 1');
    await agenda.run(
      REST_MS,
      () => world.judge.findings.length > 0 || unfinished.get() === undefined,
    );
    for (const process of processes) process.alive = false;
    await world.judge.atRest(store);
  } finally {
    Math.random = jitter;
  }
  return world.judge.findings;
}

let clock = () => START;
let shared: Promise<MemoryStore> | undefined;

/** One database for all seeds, because creating the tables takes as long as a simulation. */
async function cleanStore(now: () => number): Promise<MemoryStore> {
  clock = now;
  shared ??= openMemoryStore(() => clock());
  const store = await shared;
  store.clear();
  return store;
}

async function planSubmissions({ agenda, store, listeners }: World): Promise<void> {
  store.raw.exec(`insert into organizations
    (id, name, created_at, real_test_approved_at, tier, plan_code, subscription_status)
    values (1, 'test', 0, 1, 'PAID', 'TEST', 'ACTIVE')`);
  const providers = ['bank_b', 'tax_portal'];
  for (let n = 0; n < LINKS; n += 1) {
    store.raw.exec(`insert into account_links
      (id, organization_id, provider, auth_type, is_primary, status, registered_at)
      values ('link-${n}', 1, '${providers[n]}', 'id_password', 0, 'ACTIVE', 0)`);
  }
  for (let n = 0; n < JOBS; n += 1) {
    const link = n % LINKS;
    const job = {
      organizationId: 1,
      linkId: `link-${link}`,
      action: link === 0 ? READ : ISSUE,
      timeoutSeconds: 60,
      queueLimitSeconds: 300,
    };
    const id = `job-${n}`;
    agenda.plan(agenda.random() * TROUBLE_MS * 0.7, null, async () => {
      const { signals } = await store.call('jobs', 'submit', submissionOf(job, id));
      tell({ agenda, listeners }, signals);
    });
    if (agenda.random() < 0.15) {
      const access = { organizationId: 1, envScope: 'real_test' as const, submittedBy: null };
      agenda.plan(TROUBLE_MS * agenda.random(), null, async () => {
        const canceled = store.call('jobs', 'cancel', { access, jobId: id });
        // Refused before submission, after the end, and past the point of no return.
        await canceled.then(
          ({ signals }) => tell({ agenda, listeners }, signals),
          () => {},
        );
      });
    }
  }
}

function planTrouble(world: World, processes: Process[], setClock: (ms: number) => void): void {
  const { agenda, listeners } = world;
  const sometime = () => agenda.random() * TROUBLE_MS;
  const anyone = () => Math.floor(agenda.random() * processes.length);
  for (let n = 0; n < 4; n += 1) {
    agenda.plan(sometime(), null, () => {
      const process = processes[anyone()];
      if (process) process.stoppedUntil = agenda.now() + agenda.random() * LEASE_MS * 2.5;
    });
    agenda.plan(sometime(), null, () => setClock((agenda.random() - 0.4) * 20_000));
  }
  for (let n = 0; n < 2; n += 1) {
    agenda.plan(sometime(), null, () => {
      const victim = anyone();
      const old = processes[victim];
      if (old) {
        old.alive = false;
        listeners.delete(old);
      }
      processes[victim] = startProcess(world, `w${victim}, again ${n}`);
    });
  }
}

function startProcess(world: World, owner: string): Process {
  const process: Process = { alive: true, stoppedUntil: 0 };
  const timers = world.agenda.timersOf(process);
  const engine = remote<EngineStore>(world, process, 'engine');
  const breakers = remote<BreakerStore>(world, process, 'breakers');
  const actions = new Map([[ISSUE, { irreversible: true }]]);
  startWorker({
    owner,
    store: engine,
    signals: {
      onSignal(listener) {
        world.listeners.set(process, listener);
        return () => world.listeners.delete(process);
      },
      recallClaims: () => {},
    },
    run: runnerOf(world, engine, timers),
    sweeper: createSweeper({
      store: engine,
      breakers,
      actions,
      leaseMs: LEASE_MS,
      retentionMs: 30 * DAY_MS,
      eventRetentionMs: 30 * DAY_MS,
    }),
    slots: { real: 3, sandbox: 1 },
    leaseMs: LEASE_MS,
    shutdownMs: 1_000,
    timers,
    log: SILENT,
  });
  return process;
}

/** A group's scripts, called over a network that delays and loses messages. */
function remote<Store extends object>(world: World, process: Process, group: string): Store {
  const { agenda, store, judge, tamper } = world;
  const latency = () => agenda.random() * (agenda.random() < 0.15 ? LEASE_MS * 2 : 20);

  function call(script: string, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fate = agenda.random();
      const lose = () => agenda.plan(ANSWER_MS, process, () => reject(new Error('no answer')));
      if (fate < LOSS) return lose();
      agenda.plan(latency(), null, async () => {
        try {
          const { value, signals } = await store.call(group, script, tamper(store, script, input));
          judge.committed(script, input, value);
          tell(world, signals);
          if (fate < 2 * LOSS) lose();
          else agenda.plan(latency(), process, () => resolve(value));
        } catch (error) {
          agenda.plan(latency(), process, () => reject(error));
        }
      });
    });
  }

  // Any script, by its name.
  return new Proxy({} as Store, {
    get: (_target, script) => (input: unknown) => call(String(script), input),
  });
}

function tell(
  { agenda, listeners }: Pick<World, 'agenda' | 'listeners'>,
  signals: readonly Signal[],
) {
  for (const [process, listener] of listeners) {
    for (const signal of signals) {
      if (agenda.random() >= LOSS)
        agenda.plan(agenda.random() * 10, process, () => listener(signal));
    }
  }
}

/** A connector that takes its time and, for an irreversible action, performs the act once. */
function runnerOf({ agenda, judge }: World, engine: EngineStore, timers: Timers): RunJob {
  return async (job, control) => {
    const work = () => pause(timers, agenda.random() * 1_500, control.signal);
    let outcome = agenda.random() < 0.8 ? SUCCEEDED : UPSTREAM_FAILED;
    try {
      await work();
      if (job.action === ISSUE) {
        const mark = await engine.passPointOfNoReturn(runOf(job, control));
        control.signal.throwIfAborted();
        if (mark !== 'passed') return;
        control.passedPoint();
        judge.tookEffect(job.id);
        outcome = SUCCEEDED;
        await work();
      }
    } catch (error) {
      const isCanceled = error instanceof JobStopped && error.reason === 'canceled';
      if (!control.pastPoint()) outcome = isCanceled ? CANCELED : UPSTREAM_FAILED;
    }
    const end = { ...runOf(job, control), lane: job.lane, organizationId: 1, outcome };
    while (!control.lease.aborted) {
      const written = engine.finish({ ...end, artifacts: [], steps: [], suspension: null });
      if (
        await written.then(
          () => true,
          () => false,
        )
      )
        return;
      await pause(timers, 500, control.lease).catch(() => {});
    }
  };
}

const UPSTREAM_FAILED = failed({ code: 'PROVIDER_VALIDATION_ERROR', irreversible: false });
