import { setImmediate as nextTurn } from 'node:timers/promises';
import { createManualTimers } from '../../../engine/testing/manual-timers.ts';
import type { Actor } from '../../../rules/principals/actor.ts';
import type { Store } from '../../../store/database.ts';
import { insertOrganization, submissionOf } from '../../../store/testing/job-world.ts';
import { type MemoryStore, openMemoryStore } from '../../../store/testing/memory-store.ts';
import { seedWebhook } from '../../../store/testing/seed.ts';
import type { Signal } from '../../../store/transactions/script.ts';
import { createEventFeed } from '../../event-feed.ts';
import { startDispatch } from '../dispatch.ts';

const BEGUN_AT = Date.UTC(2026, 0, 1);
export const LEASE_MS = 30_000;
const ACTOR: Actor = { kind: 'system', id: 'test', traceId: null };

/** A request that its receiver has not answered yet. */
export interface WaitingPost {
  readonly url: string;
  readonly eventId: string;
  answer(status: number): Promise<void>;
}

/** Processes that deliver the events of one organization, by the real scripts; time passes when the test says so. */
export interface DispatchBench {
  now(): number;
  readonly db: MemoryStore['db'];
  /** In the order in which they were sent. */
  readonly posts: readonly WaitingPost[];
  /** Called before each script of a courier, and after it: what it throws is what the caller gets. */
  trouble: { before?: (script: string) => unknown; after?: (script: string) => unknown };
  failOnce(script: string): void;
  /** Once, the script commits and its caller gets an error. */
  loseOneAnswer(script: string): void;
  /** While it is on, nothing is told to anyone. */
  deaf: boolean;
  addWebhook(): Promise<string>;
  /** More than an organization may have. */
  copyWebhook(webhookId: string, times: number): Promise<void>;
  /** Sets the endpoint as its organization does. */
  change(webhookId: string, change: ChangedWebhook): Promise<void>;
  replay(webhookId: string): Promise<void>;
  switchOrganization(to: 'on' | 'off'): Promise<void>;
  /** An event that the endpoints want. */
  happen(): Promise<void>;
  /** Answers how to stop it. */
  start(): Promise<() => Promise<void>>;
  /** Until nothing happens unless time passes or a receiver answers. */
  settle(): Promise<void>;
  pass(ms: number): Promise<void>;
}

interface ChangedWebhook {
  readonly url?: string;
  readonly status?: 'ENABLED' | 'DISABLED';
}

export async function openDispatchBench(): Promise<DispatchBench> {
  const timers = createManualTimers();
  const now = () => BEGUN_AT + timers.monotonic();
  const memory = await openMemoryStore(now);
  const organizationId = await insertOrganization(memory.db);
  const listeners = new Set<(signal: Signal) => void>();
  const posts: WaitingPost[] = [];
  let last: Promise<unknown> = Promise.resolve();

  /** One transaction after the other. */
  function call(group: string, script: string, input: unknown): Promise<unknown> {
    const called = last.then(async () => {
      const { value, signals } = await memory.call(group, script, input);
      if (!bench.deaf) for (const signal of signals) for (const hear of listeners) hear(signal);
      return value;
    });
    last = called.catch(() => undefined);
    return called;
  }

  function scriptsOf<Scripts extends object>(group: string): Scripts {
    const isTroubled = group === 'webhookCouriers';
    // Each property is the script of that name, as in the store itself.
    return new Proxy({} as Scripts, {
      get: (_, script: string) => async (input: unknown) => {
        if (isTroubled) bench.trouble.before?.(script);
        const value = await call(group, script, input);
        if (isTroubled) bench.trouble.after?.(script);
        return value;
      },
    });
  }

  const webhooks = scriptsOf<Store['webhooks']>('webhooks');
  const manager = { organizationId, envScopes: null, allowedActions: null };
  const log = scriptsOf<Store['webhookDeliveries']>('webhookDeliveries');
  const switches = scriptsOf<Store['switches']>('switches');
  const disabling = scriptsOf<Store['webhookDisabling']>('webhookDisabling');
  const signals: Pick<Store, 'onSignal'> = {
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  const bench: DispatchBench = {
    now,
    db: memory.db,
    posts,
    trouble: {},
    deaf: false,
    failOnce: (script) => {
      bench.trouble.before = once(script);
    },
    loseOneAnswer: (script) => {
      bench.trouble.after = once(script);
    },
    addWebhook: () => seedWebhook({ webhooks }, { organizationId, actor: ACTOR }),
    async copyWebhook(webhookId, times) {
      const { db } = memory;
      const row = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', webhookId)
        .executeTakeFirstOrThrow();
      const copies = Array.from({ length: times }, (_, n) => ({ ...row, id: `${webhookId}-${n}` }));
      await db.insertInto('webhooks').values(copies).execute();
    },
    async change(webhookId, change) {
      await webhooks.update({ manager, webhookId, ...change, actor: ACTOR });
      await bench.settle();
    },
    async replay(webhookId) {
      const choice = { manager, webhookId, actor: ACTOR };
      await log.replayRange({ ...choice, from: BEGUN_AT, to: now() + 1 });
      await bench.settle();
    },
    async switchOrganization(to) {
      const organization = { kind: 'organization', id: String(organizationId) } as const;
      await switches.set({ ...organization, disabled: to === 'off', actor: ACTOR });
      await bench.settle();
    },
    async happen() {
      await call('jobs', 'submit', submissionOf({ organizationId, envScope: 'sandbox' }));
      await bench.settle();
    },
    async start() {
      const feed = createEventFeed({ events: scriptsOf<Store['events']>('events'), ...signals });
      const stop = startDispatch({
        store: {
          webhookCouriers: scriptsOf<Store['webhookCouriers']>('webhookCouriers'),
          ...signals,
        },
        feed,
        http: {
          post: (url, { headers }, abandoned) =>
            new Promise((resolve) => {
              const end = (status: number | null) => {
                const error = status === null ? 'CONNECTION' : status < 300 ? null : 'STATUS';
                resolve({ status, error, body: null, durationMs: 0 });
                return bench.settle();
              };
              posts.push({ url, eventId: String(headers['webhook-id']), answer: end });
              abandoned.addEventListener('abort', () => void end(null));
            }),
        },
        openSigner: async () => () => 'v1,',
        disable: async ({ id, url }, reason) => {
          await disabling.disable({ webhookId: id, url, reason, letters: [] });
        },
        leaseMs: LEASE_MS,
        shutdownMs: 1_000,
        timers,
        realNow: now,
        random: () => 0,
        log: { warn: () => {}, error: () => {} },
      });
      await bench.settle();
      return async () => {
        await stop();
        feed.close();
      };
    },
    // The database and its answers take no time: all of it is done in one turn.
    settle: () => nextTurn(),
    async pass(ms) {
      await bench.settle();
      const until = timers.monotonic() + ms;
      for (;;) {
        const left = until - timers.monotonic();
        const [next = left] = timers.planned();
        timers.pass(Math.min(next, left));
        await bench.settle();
        if (left <= next) return;
      }
    },
  };
  return bench;
}

function once(script: string): (called: string) => void {
  let done = false;
  return (called) => {
    if (done || called !== script) return;
    done = true;
    throw new Error('the connection broke');
  };
}
