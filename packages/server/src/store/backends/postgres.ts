import { sql } from 'kysely';
import { keepEventOrder } from '../events/event-order.ts';
import { findScript } from '../scripts.ts';
import { keepStoredBytes } from '../submission/stored-bytes.ts';
import { storeUnavailable } from '../transactions/failure.ts';
import type { Signal } from '../transactions/script.ts';
import { type Backend, createSignalHub } from './backend.ts';
import { migrate } from './migrate.ts';
import {
  failureToConnect,
  failureToPrepare,
  requireUsable,
} from './opening/postgres-requirements.ts';
import { batchesOf, type Caller, call, lookupsOf } from './postgres-calls.ts';
import { createConnections, discard, type PostgresConnections } from './postgres-connections.ts';
import { POSTGRES } from './postgres-dialect.ts';
import { sessionOf } from './postgres-session.ts';
import { openSignalChannel } from './postgres-signals.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly migrate: boolean;
  /** This process's connections for requests, in addition to those of the engine and the listening one. */
  readonly poolSize: number;
  /** The longest that the database may take to answer, in milliseconds: below a third of the lease. */
  readonly answerMs: number;
  /** The longest wait for a lock of another transaction. */
  readonly maxLockMs?: number | undefined;
}

/** Connections for claims, heartbeats, ends of jobs and health: stuck requests never hold them. */
const ENGINE_CONNECTIONS = 4;

/** PostgreSQL, shared by any number of processes: one transaction per script. */
export async function openPostgres(options: PostgresOptions): Promise<Backend> {
  const connections = createConnections({
    url: options.url,
    requests: options.poolSize,
    engine: ENGINE_CONNECTIONS,
    answerMs: options.answerMs,
    maxLockMs: options.maxLockMs,
  });
  const hub = createSignalHub();
  try {
    await prepareDatabase(connections, options);
    const channel = await openSignalChannel(
      connections.listener,
      (payload) => notify(connections, payload),
      hub.deliver,
    );
    const emit = (signals: readonly Signal[], untold: readonly Signal[]): void => {
      hub.deliver(signals);
      channel.publish(untold);
    };
    const { behindCommit } = channel;
    const caller: Caller = { connections, emit, behindCommit, hedgeMs: options.answerMs / 2 };
    const batched = batchesOf(caller);
    let closed = false;
    const requireOpen = (): void => {
      if (closed) throw storeUnavailable(new Error('the store is closed'));
    };
    const lookUp = lookupsOf(async (name, script, input) => {
      requireOpen();
      return call(caller, name, script, input);
    });
    return {
      onSignal: hub.onSignal,
      // PostgreSQL may always return.
      onFatal: () => {},
      call: async (name, input) => {
        requireOpen();
        const script = findScript(name);
        if (script.together) return batched(name, script, input);
        const isShared = script.lookup !== undefined && typeof input === 'string';
        return isShared ? lookUp(name, script, input) : call(caller, name, script, input);
      },
      // Claims never wait here, and there is no thread of its own.
      recallClaims: () => {},
      collectGarbage: () => {},
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

async function prepareDatabase(
  connections: PostgresConnections,
  { url, migrate: apply, answerMs }: Omit<PostgresOptions, 'poolSize'>,
): Promise<void> {
  const client = await connections.connectAlone('unlimited').catch((error: unknown) => {
    throw failureToConnect(url, error);
  });
  try {
    const session = sessionOf(client);
    await requireUsable(session);
    await session.begin();
    // What waits for a table blocks all who come after it.
    const waitBriefly = async () => {
      await sql.raw(`set local lock_timeout = ${answerMs}`).execute(session.db);
    };
    await migrate(session, POSTGRES, apply, waitBriefly);
    await keepEventOrder(session.db);
    await keepStoredBytes(session.db);
    await session.commit();
  } catch (error) {
    throw failureToPrepare(error);
  } finally {
    discard(client);
  }
}

async function notify(connections: PostgresConnections, payload: string): Promise<void> {
  const client = await connections.connect('engine');
  await sessionOf(client)
    .notify(payload)
    .then(
      () => client.release(),
      (error: unknown) => {
        client.release(true);
        throw error;
      },
    );
}
