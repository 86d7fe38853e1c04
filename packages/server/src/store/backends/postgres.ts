import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { findScript, type ScriptName } from '../scripts.ts';
import { storeUnavailable } from '../transactions/failure.ts';
import type { Dialect, Script, Signal } from '../transactions/script.ts';
import { clockTexts, createTransaction } from '../transactions/transaction.ts';
import { type Backend, createSignalHub } from './backend.ts';
import { MigrationError, migrate } from './migrate.ts';
import {
  type ConnectionUse,
  createConnections,
  discard,
  type PostgresConnections,
} from './postgres-connections.ts';
import { judge, NotBegunError, refusedText } from './postgres-errors.ts';
import { type PostgresSession, sessionOf } from './postgres-session.ts';
import { openSignalChannel } from './postgres-signals.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly migrate: boolean;
  /** Connections of this process for requests, beside those of the engine and the one that listens. */
  readonly poolSize: number;
  /** The longest that the database may take to answer, in milliseconds: below a third of the lease. */
  readonly answerMs: number;
}

const CLOCK = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const CLOCK_TEXTS = clockTexts(CLOCK);
/** One text for any number of locks, so that a connection prepares it once; taken in the order of the array. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended(name, 0))
  from json_array_elements_text(cast($1 as json)) as names(name)`;
const ATTEMPTS = 5;
const RETRY_MS = 5;
/** Connections that requests never take: claims, heartbeats, ends of jobs, health. */
const ENGINE_CONNECTIONS = 4;
const ENGINE_GROUPS = new Set(['engine', 'results', 'breakers', 'clock']);

export const POSTGRES: Dialect = {
  name: 'postgres',
  clock: sql.raw(CLOCK),
  async lock(db, ...names) {
    if (names.length === 0) return;
    await db.executeQuery(CompiledQuery.raw(LOCK, [JSON.stringify(names)]));
  },
  each: (json) => sql`json_array_elements(cast(${json} as json)) with ordinality as line(value, n)`,
  skipLocked: sql`for update skip locked`,
};

/** PostgreSQL, shared by any number of processes: one transaction per script. */
export async function openPostgres(options: PostgresOptions): Promise<Backend> {
  const connections = createConnections({
    url: options.url,
    requests: options.poolSize,
    engine: ENGINE_CONNECTIONS,
    answerMs: options.answerMs,
  });
  const hub = createSignalHub();
  try {
    await prepareDatabase(connections, options.migrate);
    const channel = await openSignalChannel(
      connections.listener,
      (payload) => notify(connections, payload),
      hub.deliver,
    );
    const emit = (signals: readonly Signal[]): void => {
      hub.deliver(signals);
      channel.publish(signals);
    };
    let closed = false;
    return {
      dialect: 'postgres',
      onSignal: hub.onSignal,
      // PostgreSQL may always come back.
      onFatal: () => {},
      call: async (name, input) => {
        if (closed) throw storeUnavailable(new Error('the store is closed'));
        return call({ connections, emit, hedgeMs: options.answerMs / 2 }, name, input);
      },
      close: async () => {
        if (closed) return;
        closed = true;
        await channel.close();
        await connections.close();
      },
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

async function prepareDatabase(connections: PostgresConnections, apply: boolean): Promise<void> {
  const client = await connections.connectAlone('unlimited');
  try {
    const session = sessionOf(client);
    await requireDurability(session);
    await session.begin();
    await migrate(session.db, POSTGRES, apply);
    await session.commit();
  } finally {
    discard(client);
  }
}

async function notify(connections: PostgresConnections, payload: string): Promise<void> {
  const client = await connections.connect('engine');
  await client.query('select pg_notify($1, $2)', ['changgu', payload]).then(
    () => client.release(),
    (error: unknown) => {
      client.release(true);
      throw error;
    },
  );
}

interface Caller {
  readonly connections: PostgresConnections;
  readonly emit: (signals: readonly Signal[]) => void;
  /** After how long a call that may run twice is also sent over a fresh connection. */
  readonly hedgeMs: number;
}

async function call(caller: Caller, name: ScriptName, input: unknown): Promise<unknown> {
  const script = findScript(name);
  const use: ConnectionUse = ENGINE_GROUPS.has(name.group) ? 'engine' : 'requests';
  const pooled = () => onPooledClient(caller, use, script, input);
  const patiently = () => withRetries(pooled, script.kind);
  if (!script.hedged) return patiently();
  return hedged(patiently, () => onFreshClient(caller, script, input), caller.hedgeMs);
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

/** A read may run again when its connection breaks; for a write it is unknown whether it was committed. */
async function withRetries(
  run: () => Promise<unknown>,
  kind: Script<unknown, unknown>['kind'],
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const { retry, broken, unavailable } = judge(error);
      const harmless = kind === 'read' || error instanceof NotBegunError;
      if (!retry && !(broken && harmless && attempt === 1))
        throw refusedText(error) ?? (unavailable ? storeUnavailable(error) : error);
      if (attempt === ATTEMPTS) throw storeUnavailable(error);
      await pause(RETRY_MS * attempt);
    }
  }
}

async function onPooledClient(
  { connections, emit }: Caller,
  use: ConnectionUse,
  script: Script<unknown, unknown>,
  input: unknown,
): Promise<unknown> {
  const client = await connections.connect(use);
  let broken = false;
  try {
    return await runScript(client, script, input, emit);
  } catch (error) {
    const verdict = judge(error);
    ({ broken } = verdict);
    if (verdict.suspectAll) connections.renew();
    throw error;
  } finally {
    client.release(broken || !sessionOf(client).usable);
  }
}

async function onFreshClient(
  { connections, emit }: Caller,
  script: Script<unknown, unknown>,
  input: unknown,
): Promise<unknown> {
  const client = await connections.connectAlone('limited');
  try {
    return await runScript(client, script, input, emit);
  } finally {
    discard(client);
  }
}

async function runScript(
  client: pg.ClientBase,
  script: Script<unknown, unknown>,
  input: unknown,
  emit: (signals: readonly Signal[]) => void,
): Promise<unknown> {
  const session = sessionOf(client);
  const signals: Signal[] = [];
  const run = () => script.run(createTransaction(session, POSTGRES, CLOCK_TEXTS, signals), input);
  // A read that needs one snapshot says it in one statement.
  const value = await (script.kind === 'read' ? run() : inTransaction(session, run));
  emit(signals);
  return value;
}

async function inTransaction(
  session: PostgresSession,
  run: () => Promise<unknown>,
): Promise<unknown> {
  await session.begin().catch((cause: unknown) => {
    throw new NotBegunError(cause);
  });
  try {
    const value = await run();
    await session.commit();
    return value;
  } catch (error) {
    // A broken connection rolls back by itself; one that cannot roll back is not used again.
    if (!judge(error).broken) await session.rollback().catch(() => {});
    throw error;
  }
}

async function requireDurability({ db }: PostgresSession): Promise<void> {
  const { rows } = await sql<{
    synchronous_commit: string;
  }>`show synchronous_commit`.execute(db);
  if (rows[0]?.synchronous_commit !== 'off') return;
  throw new MigrationError(
    'the database has synchronous_commit = off and could lose accepted jobs; turn it on',
  );
}
