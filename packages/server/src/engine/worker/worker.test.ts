import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedJob } from '../../store/queue/claims.ts';
import { type KnownWork, NOTHING_KNOWN } from '../../store/queue/known-work.ts';
import type { Signal } from '../../store/transactions/script.ts';
import { JobStopped } from '../job-stopped.ts';
import type { RunControl } from '../run-dependencies.ts';
import { createManualTimers, type ManualTimers } from '../testing/manual-timers.ts';
import { startWorker, type Worker, type WorkerOptions } from './worker.ts';

const LEASE_MS = 30_000;
const SHUTDOWN_MS = 25_000;

/** Lets everything that was answered be noticed. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

interface Running {
  readonly control: RunControl;
  end(): void;
}

describe('a worker', () => {
  let timers: ManualTimers;
  let ready: ClaimedJob[];
  let lost: ClaimedJob[];
  let heartbeat: WorkerOptions['store']['heartbeat'];
  let release: WorkerOptions['store']['release'];
  let released: string[];
  /** Holds back the answers to claims. */
  let claiming: Promise<void>;
  let started: Map<string, Running>;
  let listeners: Set<(signal: Signal) => void>;
  let worker: Worker;
  /** Jobs that end only when they are lost. */
  const stubborn = new Set<string>();
  /** Jobs that end only when the test says so. */
  const deaf = new Set<string>();
  /** What each sweep was told to stop by. */
  let sweeping: { endDue?: AbortSignal | undefined; tidy?: AbortSignal | undefined };
  /** The oldest job that each claim looked for. */
  let lookedFrom: number[];
  /** What each claim took as known. */
  let known: (KnownWork | undefined)[];
  /** Pools whose waiting claims were recalled. */
  let recalled: string[];
  /** How long a claim waited before it was made. */
  let waitedMs: number;
  let claims: { limit: number; held: readonly (readonly [number, number])[] }[];

  beforeEach(() => {
    timers = createManualTimers();
    ready = [];
    lost = [];
    released = [];
    claiming = Promise.resolve();
    release = async ({ ids }) => {
      released.push(...ids);
    };
    started = new Map();
    stubborn.clear();
    deaf.clear();
    listeners = new Set();
    sweeping = {};
    claims = [];
    recalled = [];
    waitedMs = 0;
    lookedFrom = [];
    known = [];
    heartbeat = async ({ ids }) => ids.map((id) => ({ id, cancelRequested: false }));
    worker = startWorker({
      owner: 'w',
      store: {
        async claim({ pool, limit, held, from = 0, since }) {
          if (pool === 'sandbox') return { jobs: [], next: from };
          claims.push({ limit, held });
          lookedFrom.push(from);
          known.push(since);
          await claiming;
          return {
            jobs: ready.splice(0, limit),
            next: 70,
            waitedMs,
            since: { ready: 5, started: 6, seenAt: 7, holdsUntil: 8 },
          };
        },
        takeOver: async ({ pool, limit }) => (pool === 'real' ? lost.splice(0, limit) : []),
        heartbeat: (input) => heartbeat(input),
        release: (input) => release(input),
      },
      signals: {
        onSignal(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        recallClaims: (pool) => recalled.push(pool),
      },
      // Ends when the test says so, or when it is stopped.
      run: (job, control) =>
        new Promise((resolve) => {
          started.set(job.id, { control, end: resolve });
          const stops = stubborn.has(job.id) ? control.lease : control.signal;
          if (!deaf.has(job.id)) stops.addEventListener('abort', () => resolve());
        }),
      sweeper: {
        async endDue(stop) {
          sweeping.endDue = stop;
        },
        async tidy(stop) {
          sweeping.tidy = stop;
        },
      },
      slots: { real: 2, sandbox: 1 },
      leaseMs: LEASE_MS,
      shutdownMs: SHUTDOWN_MS,
      timers,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    });
  });

  function emit(signal: Signal): void {
    for (const listener of listeners) listener(signal);
  }

  async function run(...ids: string[]): Promise<Running[]> {
    ready.push(...ids.map((id) => job(id)));
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    return ids.map((id) => runningOf(id));
  }

  function runningOf(id: string): Running {
    const running = started.get(id);
    if (!running) throw new Error(`${id} does not run`);
    return running;
  }

  function stopReason({ control }: Running): string | undefined {
    const reason: unknown = control.signal.reason;
    return reason instanceof JobStopped ? reason.reason : undefined;
  }

  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      timers.pass(Math.min(left, 1_000));
      await settle();
    }
  }

  it('runs as many jobs as it has slots, and the next one when a job ends (D16)', async () => {
    ready.push(job('a', 1), job('b', 1), job('c', 2));
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    expect([...started.keys()]).toEqual(['a', 'b']);
    expect(worker.running()).toEqual({ real: 2, sandbox: 0 });
    runningOf('a').end();
    await settle();
    expect([...started.keys()]).toEqual(['a', 'b', 'c']);
    expect(claims.at(-1)).toEqual({ limit: 1, held: [[1, 1]] });
  });

  it('claims only where a signal says that a job is ready', async () => {
    ready.push(job('a'));
    const before = claims.length;
    emit({ kind: 'ready', pool: 'sandbox' });
    await settle();
    expect(claims).toHaveLength(before);
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    expect([...started.keys()]).toEqual(['a']);
  });

  it('finds jobs that no signal announced, and takes over lost ones', async () => {
    ready.push(job('a'));
    await pass(2_000);
    expect([...started.keys()]).toEqual(['a']);
    lost.push(job('b'));
    await pass(2_000);
    expect([...started.keys()]).toEqual(['a', 'b']);
  });

  it('stops a job when a signal or a heartbeat reports its cancellation (D05)', async () => {
    const [a, b] = await run('a', 'b');
    emit({ kind: 'cancel', jobId: 'a' });
    expect(a && stopReason(a)).toBe('canceled');
    expect(a?.control.lease.aborted).toBe(false);
    heartbeat = async ({ ids }) => ids.map((id) => ({ id, cancelRequested: true }));
    await pass(LEASE_MS / 3 + 1_000);
    expect(b && stopReason(b)).toBe('canceled');
  });

  it('stops a job that a sweep ended or another worker has', async () => {
    const [a, b] = await run('a', 'b');
    emit({ kind: 'finished', jobId: 'a' });
    expect(a && stopReason(a)).toBe('ended');
    heartbeat = async () => [];
    await pass(LEASE_MS / 3 + 1_000);
    expect(b && stopReason(b)).toBe('lost');
    expect(b?.control.lease.aborted).toBe(true);
  });

  it('stops jobs before the point of no return after two thirds of a lease without a heartbeat (D03)', async () => {
    for (const broken of [
      () => Promise.reject(new Error('away')),
      () => new Promise<never>(() => {}),
    ]) {
      const ids = started.size === 0 ? ['a', 'b'] : ['c'];
      const running = await run(...ids);
      if (ids.includes('b')) runningOf('b').control.passedPoint();
      await pass(1_000);
      heartbeat = broken;
      await pass((LEASE_MS * 2) / 3 - 2_500);
      expect(running.map(stopReason)).toEqual(ids.map(() => undefined));
      await pass(5_000);
      expect(stopReason(runningOf(ids[0] ?? ''))).toBe('lost');
      expect(stopReason(runningOf('b'))).toBeUndefined();
    }
  });

  it('stops its own earlier run of a job that it has taken over from itself', async () => {
    const [first] = await run('a');
    lost.push(job('a'));
    await pass(2_000);
    expect(first && stopReason(first)).toBe('lost');
    expect(stopReason(runningOf('a'))).toBeUndefined();
    expect(worker.running().real).toBe(1);
  });

  it('stops a job at its deadline (D04)', async () => {
    const [a] = await run('a');
    await pass(120_000);
    expect(a && stopReason(a)).toBe('deadline');
  });

  it('waits for reads when stopping, longer past the point of no return, and releases the rest (D03)', async () => {
    const [a, b] = await run('a', 'b');
    b?.control.passedPoint();
    let stopped = false;
    const stop = worker.stop().then(() => {
      stopped = true;
    });
    await settle();
    ready.push(job('c'));
    emit({ kind: 'ready', pool: 'real' });
    await pass(SHUTDOWN_MS - 1_000);
    expect(a && stopReason(a)).toBeUndefined();
    await pass(1_000);
    expect(a && stopReason(a)).toBe('shutdown');
    expect(b && stopReason(b)).toBeUndefined();
    await settle();
    expect([released, stopped]).toEqual([['a'], false]);
    b?.end();
    await stop;
    expect(released).toEqual(['a']);
    expect([...started.keys()]).toEqual(['a', 'b']);
    expect(timers.planned()).toEqual([]);
  });

  it('stops in time and in order when the store cannot release what it gives up', async () => {
    const [, b] = await run('a', 'b');
    b?.control.passedPoint();
    release = () => Promise.reject(new Error('away'));
    let stopped = false;
    const stop = worker.stop().then(() => {
      stopped = true;
    });
    expect([sweeping.endDue?.aborted, sweeping.tidy?.aborted]).toEqual([true, true]);
    await pass(SHUTDOWN_MS + 1_000);
    expect([stopReason(runningOf('a')), stopped]).toEqual(['shutdown', false]);
    b?.end();
    await stop;
  });

  it('gives back a job whose run does not heed that it was given up', async () => {
    deaf.add('a');
    await run('a');
    const stop = worker.stop();
    await pass(SHUTDOWN_MS + 1_000);
    expect(released).toEqual([]);
    await pass(1_000);
    expect(released).toEqual(['a']);
    runningOf('a').end();
    await stop;
  });

  it('stops at last although the end of a job past its point cannot be written', async () => {
    stubborn.add('a');
    const [a] = await run('a');
    a?.control.passedPoint();
    let stopped = false;
    const stop = worker.stop().then(() => {
      stopped = true;
    });
    await pass(120_000 + LEASE_MS - 2_000);
    expect([stopped, a?.control.lease.aborted]).toEqual([false, false]);
    await pass(6_000);
    expect(a?.control.lease.aborted).toBe(true);
    await stop;
    expect(timers.planned()).toEqual([]);
  });

  it('gives back at once what a claim under way brings while it stops', async () => {
    const answered = Promise.withResolvers<void>();
    claiming = answered.promise;
    ready.push(job('a'));
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    const stop = worker.stop();
    answered.resolve();
    await stop;
    expect([[...started.keys()], released]).toEqual([[], ['a']]);
  });

  it('recalls a claim that waits once when it hears of something or stops, and claims again', async () => {
    const answered = Promise.withResolvers<void>();
    claiming = answered.promise;
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    expect(recalled).toEqual([]);
    emit({ kind: 'ready', pool: 'real' });
    emit({ kind: 'changed' });
    expect(recalled).toEqual(['real']);
    const before = claims.length;
    answered.resolve();
    await settle();
    expect(claims.length).toBe(before + 1);
    const last = Promise.withResolvers<void>();
    claiming = last.promise;
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    recalled = [];
    const stop = worker.stop();
    expect(recalled).toEqual(['real']);
    last.resolve();
    await stop;
  });

  it('holds a lease from when a claim was made, however long it waited (D03)', async () => {
    const answered = Promise.withResolvers<void>();
    claiming = answered.promise;
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    timers.pass(2 * LEASE_MS);
    waitedMs = 2 * LEASE_MS;
    ready.push(job('a'));
    answered.resolve();
    await settle();
    expect(started.get('a')?.control.lease.aborted).toBe(false);
    timers.pass(LEASE_MS / 3);
    await settle();
    expect(started.get('a')?.control.lease.aborted).toBe(false);
  });

  it('looks behind the jobs it has seen, and further back for what it hears of meanwhile', async () => {
    await settle();
    const { promise, resolve } = Promise.withResolvers<void>();
    claiming = promise;
    emit({ kind: 'ready', pool: 'real', seq: 90 });
    emit({ kind: 'ready', pool: 'real', seq: 40 });
    resolve();
    await settle();
    expect(lookedFrom).toEqual([0, 70, 40]);
    emit({ kind: 'ready', pool: 'real' });
    await settle();
    emit({ kind: 'changed' });
    await settle();
    emit({ kind: 'ready', pool: 'real', seq: 71 });
    await settle();
    timers.pass(1_300);
    await settle();
    expect(lookedFrom.slice(3)).toEqual([0, 0, 70, 0]);
  });

  it('starts a search for everything at what it knows, and now and then knows nothing', async () => {
    await settle();
    const learned = { ready: 5, started: 6, seenAt: 7, holdsUntil: 8 };
    for (let polls = 1; polls < 600; polls += 1) {
      timers.pass(5_000);
      await settle();
    }
    expect(known[0]).toEqual(NOTHING_KNOWN);
    expect(known.filter((each) => each?.ready === learned.ready).length).toBeGreaterThan(500);
    expect(known.filter((each) => each?.ready === 0)).toHaveLength(2);
  });

  it('looks less often while it has nothing to do and hears nothing', async () => {
    const looksWithin = async (ms: number) => {
      const before = claims.length;
      for (let passed = 0; passed < ms; passed += 250) {
        timers.pass(250);
        await settle();
      }
      return claims.length - before;
    };
    await settle();
    expect(await looksWithin(5_000)).toBeGreaterThanOrEqual(3);
    await looksWithin(4_000);
    expect(await looksWithin(9_000)).toBeLessThanOrEqual(4);
    await run('a');
    await looksWithin(4_000);
    expect(await looksWithin(9_000)).toBeGreaterThanOrEqual(6);
  });
});

function job(id: string, organizationId = 1): ClaimedJob {
  return {
    id,
    attempt: 0,
    lane: null,
    organizationId,
    envScope: 'real_test',
    provider: 'bank_b',
    action: 'bank_b.accounts.list',
    accountLinkId: null,
    bankAccountCredentialId: null,
    params: '{}',
    encryptedFields: null,
    duplicateFields: null,
    sandboxOutcome: null,
    traceContext: null,
    submittedAt: 0,
    startedAt: 0,
    remainingMs: 120_000,
  };
}
