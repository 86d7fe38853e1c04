import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { ScriptGroups, ScriptName } from '../scripts.ts';
import { storeUnavailable } from '../transactions/failure.ts';
import { signalKey } from '../transactions/merge-signals.ts';
import type { BatchOutcome, Script, Signal, Transaction } from '../transactions/script.ts';
import { shareLookups } from '../transactions/shared-lookups.ts';
import { createTransaction, type Session } from '../transactions/transaction.ts';
import { BatchRefusedError, createBatches } from './postgres-batches.ts';
import { type ConnectionUse, discard, type PostgresConnections } from './postgres-connections.ts';
import { POSTGRES, POSTGRES_CLOCK_TEXTS } from './postgres-dialect.ts';
import { isLockTimeout, judge, NotBegunError, refusedText } from './postgres-errors.ts';
import { type PostgresSession, sessionOf, type TransactionLimits } from './postgres-session.ts';

const ATTEMPTS = 5;
const RETRY_MS = 5;
/** A batch waits for locks no longer than this; then each of its calls runs and waits alone. */
const MAX_BATCH_LOCK_MS = 200;
/** Of these, requests call no more than reads of the clock and of the breakers: a few rows. */
const ENGINE_GROUPS = new Set<string>([
  'engine',
  'breakers',
  'clock',
] satisfies (keyof ScriptGroups)[]);

/** Runs the calls of one process. */
export interface Caller {
  readonly connections: PostgresConnections;
  /** Delivers signals in this process, and in others those that they have not been told. */
  readonly emit: (signals: readonly Signal[], untold: readonly Signal[]) => void;
  /** The notices of signals that are worth sending before it is known that they are true. */
  readonly behindCommit: (signals: readonly Signal[]) => readonly string[];
  /** How long a repeatable call may take before it is also sent over a new connection. */
  readonly hedgeMs: number;
}

type AnyScript = Script<unknown, unknown>;

/** Calls of scripts that share transactions. */
export function batchesOf(
  caller: Caller,
): (name: ScriptName, script: AnyScript, input: unknown) => Promise<unknown> {
  const batches = new Map<AnyScript, (input: unknown) => Promise<unknown>>();
  return (name, script, input) => {
    let add = batches.get(script);
    if (add === undefined) {
      const use = useOf(name);
      add = createBatches({
        together: (inputs) => runTogether(caller, use, script, inputs),
        alone: (each) => withRetries(() => onPooledClient(caller, use, script, each), script.kind),
      });
      batches.set(script, add);
    }
    return add(input);
  };
}

/** @throws BatchRefusedError unless the database is unavailable or it is unknown whether it committed */
async function runTogether(
  caller: Caller,
  use: ConnectionUse,
  { together, ...script }: AnyScript,
  inputs: readonly unknown[],
): Promise<readonly BatchOutcome<unknown>[]> {
  let outcomes: readonly BatchOutcome<unknown>[] = [];
  const whole: AnyScript = {
    ...script,
    async run(tx) {
      outcomes = (await together?.(tx, inputs)) ?? [];
    },
  };
  try {
    await onPooledClient(caller, use, whole, null, MAX_BATCH_LOCK_MS);
    return outcomes;
  } catch (error) {
    const { retry, broken, unavailable } = judge(error);
    const isRead = script.kind === 'read';
    const harmless = isRead || retry || error instanceof NotBegunError || isLockTimeout(error);
    if (!harmless && (broken || unavailable)) throw storeUnavailable(error);
    throw new BatchRefusedError('its calls run alone', { cause: error });
  }
}

function useOf({ group }: ScriptName): ConnectionUse {
  return ENGINE_GROUPS.has(group) ? 'engine' : 'requests';
}

export async function call(
  caller: Caller,
  name: ScriptName,
  script: AnyScript,
  input: unknown,
): Promise<unknown> {
  const pooled = () => onPooledClient(caller, useOf(name), script, input);
  const patiently = () => withRetries(pooled, script.kind);
  if (!script.hedged) return patiently();
  return hedged(patiently, () => onFreshClient(caller, script, input), caller.hedgeMs);
}

/** Lookups of a text: whoever asks for the same one at the same time shares its answer. */
export function lookupsOf(
  find: (name: ScriptName, script: AnyScript, input: string) => Promise<unknown>,
): (name: ScriptName, script: AnyScript, input: string) => Promise<unknown> {
  const lookups = new Map<AnyScript, (input: string) => Promise<unknown>>();
  return (name, script, input) => {
    let shared = lookups.get(script);
    if (shared === undefined) {
      shared = shareLookups((each: string) => find(name, script, each));
      lookups.set(script, shared);
    }
    return shared(input);
  };
}

/** The first of two to succeed; the second starts when the first is late or has failed. */
async function hedged(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  afterMs: number,
): Promise<unknown> {
  const started = first();
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), afterMs);
  const early = await Promise.race([
    started.then(
      (value) => ({ value }),
      () => 'late' as const,
    ),
    late.promise,
  ]);
  clearTimeout(timer);
  if (early !== 'late') return early.value;
  return Promise.any([started, second()]).catch((failure: AggregateError) => {
    throw failure.errors[0];
  });
}

/**
 * A read can be repeated when its connection breaks; for a write it is unknown whether it was committed. What waited
 * too long for a lock did nothing, and waits once more behind the calls that it gave its connection to: on a busy
 * machine the holders before it are slow rather than stuck.
 */
async function withRetries(run: () => Promise<unknown>, kind: AnyScript['kind']): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const { retry, broken, unavailable } = judge(error);
      const harmless = kind === 'read' || error instanceof NotBegunError;
      const once = (broken && harmless) || isLockTimeout(error);
      if (!retry && !(once && attempt === 1))
        throw refusedText(error) ?? (unavailable ? storeUnavailable(error) : error);
      if (attempt === ATTEMPTS) throw storeUnavailable(error);
      await pause(RETRY_MS * attempt);
    }
  }
}

async function onPooledClient(
  caller: Caller,
  use: ConnectionUse,
  script: AnyScript,
  input: unknown,
  maxLockMs?: number,
): Promise<unknown> {
  const { connections } = caller;
  const client = await connections.connect(use);
  let broken = false;
  try {
    return await runScript(client, caller, script, input, maxLockMs);
  } catch (error) {
    const verdict = judge(error);
    ({ broken } = verdict);
    if (verdict.suspectAll) connections.renew(client);
    throw error;
  } finally {
    client.release(broken || !sessionOf(client).usable);
  }
}

async function onFreshClient(caller: Caller, script: AnyScript, input: unknown): Promise<unknown> {
  const client = await caller.connections.connectAlone('limited');
  try {
    return await runScript(client, caller, script, input);
  } finally {
    discard(client);
  }
}

async function runScript(
  client: pg.ClientBase,
  { emit, behindCommit }: Caller,
  script: AnyScript,
  input: unknown,
  maxLockMs?: number,
): Promise<unknown> {
  const session = sessionOf(client);
  await session.renewPlans().catch((cause: unknown) => {
    throw new NotBegunError(cause);
  });
  const signals: Signal[] = [];
  const transactionOn = (on: Session, conclude?: Transaction['conclude']) =>
    createTransaction(on, POSTGRES, POSTGRES_CLOCK_TEXTS, signals, conclude);
  const limits = { maxLockMs, inIndexOrder: script.inIndexOrder };
  const run = (conclude?: Transaction['conclude']) =>
    script.run(transactionOn(session, conclude), input);
  // A read that needs one snapshot uses a single statement; settings need a transaction.
  const isAlone = script.kind === 'read' && !script.inIndexOrder;
  let told: readonly Signal[] = [];
  const commit = (expected: readonly Signal[]) => {
    const notices = behindCommit(expected);
    if (notices.length > 0) told = expected;
    return session.commit(notices);
  };
  const value =
    (await script.atOnce?.(transactionOn(session.oneByOne(limits)), input)) ??
    (await (isAlone ? run() : inTransaction(session, run, limits, { signals, commit })));
  const known = new Set(told.map(signalKey));
  emit(
    signals,
    signals.filter((signal) => !known.has(signalKey(signal))),
  );
  return value;
}

interface Ending {
  readonly signals: readonly Signal[];
  readonly commit: (expected: readonly Signal[]) => Promise<void>;
}

async function inTransaction(
  session: PostgresSession,
  run: (conclude: Transaction['conclude']) => Promise<unknown>,
  limits: TransactionLimits,
  { signals, commit }: Ending,
): Promise<unknown> {
  const begun = session.begin(limits).catch((cause: unknown) => {
    throw new NotBegunError(cause);
  });
  begun.catch(() => {});
  let concluded: Promise<void> | undefined;
  const conclude: Transaction['conclude'] = (expected) => {
    concluded = commit(expected);
    concluded.catch(() => {});
  };
  try {
    const value = await run(conclude);
    await begun;
    await (concluded ?? commit(signals));
    return value;
  } catch (error) {
    // After a failure the server answers COMMIT with a rollback.
    await concluded?.catch(() => {});
    // A broken connection rolls back by itself; one that cannot roll back is not used again.
    if (!concluded && !judge(error).broken) await session.rollback().catch(() => {});
    await begun;
    throw error;
  }
}
