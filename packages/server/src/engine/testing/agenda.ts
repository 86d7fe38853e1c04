import type { Timers } from '../../timers.ts';

/** A process of the simulation: its events happen only while it lives and are delayed while it is stopped. */
export interface Process {
  alive: boolean;
  stoppedUntil: number;
}

interface Planned {
  readonly at: number;
  readonly order: number;
  /** Null: happens regardless of any process. */
  readonly process: Process | null;
  readonly act: () => void | Promise<void>;
}

/** Everything that is going to happen, in an order determined by the seed alone. */
export interface Agenda {
  now(): number;
  /** Between 0 and 1, derived from the seed. */
  random(): number;
  plan(ms: number, process: Process | null, act: Planned['act']): () => void;
  timersOf(process: Process): Timers;
  /** Runs events one by one until `over`, or until none is left before `ms`. */
  run(ms: number, over: () => boolean): Promise<void>;
}

export function createAgenda(seed: number): Agenda {
  const random = randomOf(seed);
  let now = 0;
  let order = 0;
  let planned: Planned[] = [];

  function add(at: number, process: Process | null, act: Planned['act']): Planned {
    order += 1;
    const next = { at, order, process, act };
    planned.push(next);
    return next;
  }

  function take(): Planned | undefined {
    const next = planned.reduce<Planned | undefined>(
      (first, each) => (first === undefined || isBefore(each, first) ? each : first),
      undefined,
    );
    planned = planned.filter((each) => each !== next);
    return next;
  }

  const plan: Agenda['plan'] = (ms, process, act) => {
    const next = add(now + ms, process, act);
    return () => {
      planned = planned.filter((each) => each !== next);
    };
  };

  return {
    now: () => now,
    random,
    plan,
    timersOf: (process) => ({
      monotonic: () => now,
      after: (ms, call) => plan(ms, process, call),
    }),
    async run(ms, over) {
      while (!over()) {
        const next = take();
        if (next === undefined || next.at > ms) return;
        now = Math.max(now, next.at);
        if (next.process && !next.process.alive) continue;
        if (next.process && next.process.stoppedUntil > now) {
          add(next.process.stoppedUntil, next.process, next.act);
          continue;
        }
        await next.act();
        // Runs everything that follows without waiting.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function isBefore(a: Planned, b: Planned): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Mulberry32: small, and the same on every machine. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
