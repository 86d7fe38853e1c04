import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { ListeningClient } from './postgres-signals.ts';

/** One process's use of PostgreSQL: sizes in connections, times in milliseconds. */
export interface ConnectionOptions {
  readonly url: string;
  /** Connections for requests. */
  readonly requests: number;
  /** Connections reserved for the engine and for health, so that stuck requests never stop a heartbeat. */
  readonly engine: number;
  /** The longest time until a statement is answered, or until a connection is free. */
  readonly answerMs: number;
  /** The longest wait for a lock: a holder that takes longer is stuck, and the caller can retry. Default 2,000. */
  readonly maxLockMs?: number | undefined;
}

export type ConnectionUse = 'requests' | 'engine';

const INT8 = 20;
const MAX_LOCK_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;
/** How long closing waits for a server that does not answer. */
const GOODBYE_MS = 1_000;
/** For connections outside the pools: no lease waits for them, so a busy database gets more time than an answer. */
const LONE_CONNECT_MS = 10_000;

export interface PostgresConnections {
  /** A connection of its pool; rejects when none becomes free in time. */
  connect(use: ConnectionUse): Promise<pg.PoolClient>;
  /** A new connection outside the pools; the caller ends it with `discard`. */
  connectAlone(limits: 'limited' | 'unlimited'): Promise<pg.Client>;
  /** The same, not connected yet, for LISTEN. */
  listener(): ListeningClient;
  /**
   * Replaces both pools, unless this connection is of pools that have been replaced: when one goes silent, its idle
   * neighbors are suspect too, but not those that were opened since.
   */
  renew(silent: pg.PoolClient): void;
  /** Lets statements in progress finish, then closes every connection, silent ones by force. */
  close(): Promise<void>;
}

/** One process's connections: two pools that are replaced together, and single ones. */
export function createConnections(options: ConnectionOptions): PostgresConnections {
  const clients = createClients(options);
  let pools = openPools();
  const poolsOf = new WeakMap<pg.PoolClient, typeof pools>();
  let closed = false;

  function openPools(): Readonly<Record<ConnectionUse, pg.Pool>> {
    return {
      requests: clients.pool(options.requests, []),
      engine: clients.pool(options.engine, ENGINE_SETTINGS),
    };
  }

  return {
    async connect(use) {
      const from = pools;
      const client = await from[use].connect();
      poolsOf.set(client, from);
      return client;
    },
    async connectAlone(limits) {
      const client = clients.create(limits);
      try {
        await client.connect();
        return client;
      } catch (error) {
        clients.forget(client);
        throw error;
      }
    },
    listener() {
      const client = clients.create('limited');
      return {
        onNotification: (hear) => client.on('notification', ({ payload }) => hear(payload)),
        onError: (fail) => client.on('error', fail),
        connect: () => client.connect(),
        query: (text) => client.query(text),
        end: async () => clients.forget(client),
      };
    },
    renew(silent) {
      const old = poolsOf.get(silent);
      if (closed || old !== pools) return;
      pools = openPools();
      for (const pool of Object.values(old)) void pool.end();
    },
    async close() {
      closed = true;
      // It keeps the process alive: sockets that were given up do not, and what closes after them would be left out.
      const patience = new AbortController();
      const { signal } = patience;
      const ended = Promise.all(Object.values(pools).map((pool) => pool.end()));
      const tired = pause(options.answerMs + GOODBYE_MS, undefined, { signal }).catch(() => {});
      await Promise.race([ended, tired]);
      patience.abort();
      clients.discardAll();
    },
  };
}

/** Creates connections and tracks them: each has an error listener from birth to end. */
function createClients({ url, answerMs, maxLockMs }: ConnectionOptions) {
  const alive = new Set<pg.Client>();

  function track(client: pg.Client): void {
    alive.add(client);
    client.on('error', () => {});
    client.on('end', () => alive.delete(client));
  }

  return {
    create(limits: 'limited' | 'unlimited'): pg.Client {
      const config = clientConfig(url, limits === 'limited' ? answerMs : 0, [], maxLockMs);
      const connectionTimeoutMillis = Math.max(answerMs, LONE_CONNECT_MS);
      const client = new pg.Client({ ...config, connectionTimeoutMillis });
      track(client);
      return client;
    },
    pool(max: number, settings: readonly string[]): pg.Pool {
      const config = clientConfig(url, answerMs, settings, maxLockMs);
      const pool = new pg.Pool({ ...config, max, connectionTimeoutMillis: answerMs });
      // The pool itself listens to idle clients only: an error of a busy one would end the process.
      pool.on('connect', (client) => track(client));
      pool.on('error', () => {});
      return pool;
    },
    forget(client: pg.Client): void {
      discard(client);
      alive.delete(client);
    },
    discardAll(): void {
      for (const client of alive) discard(client);
    },
  };
}

/** Ends a connection at once, whether or not the other side still answers. */
export function discard(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** `answerMs` 0: no limit, for migrations. */
export function clientConfig(
  url: string,
  answerMs: number,
  settings: readonly string[] = [],
  maxLockMs = MAX_LOCK_MS,
): pg.ClientConfig {
  return {
    connectionString: url.replace(OWN_OPTIONS, '$1'),
    types: { getTypeParser },
    keepAlive: true,
    // What a script sends without waiting for the answers in between, the server does in this order.
    pipeline: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'changgu',
    ...(answerMs === 0
      ? { options: sessionOptions(url, [...settings, ...UNLIMITED]) }
      : { options: sessionOptions(url, settings), ...limitsOf(answerMs, maxLockMs) }),
  };
}

/**
 * The server is the first to end a statement: only where it does not answer either is the connection silent, and
 * are its neighbors given up with it. Else one slow statement would make every caller wait for new connections.
 */
const STATEMENT_SHARE = 0.75;

function limitsOf(answerMs: number, maxLockMs: number): pg.ClientConfig {
  return {
    query_timeout: answerMs,
    statement_timeout: Math.ceil(answerMs * STATEMENT_SHARE),
    lock_timeout: Math.min(maxLockMs, Math.ceil(answerMs / 2)),
    idle_in_transaction_session_timeout: answerMs,
  };
}

/** Known to this service alone: where it is missing, something between us and PostgreSQL drops settings. */
export const SESSION_MARK = 'changgu.session';

const SESSION_SETTINGS = [
  `${SESSION_MARK}=on`,
  'default_transaction_isolation=read\\ committed',
  // On the server's side too: a vanished client must not keep its locks.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  // What `enable_seqscan=off` leaves of a plan looks so expensive that PostgreSQL would compile it, for seconds each time.
  'jit=off',
];

/** Also where the database's user has limits of its own: a migration takes as long as it takes. */
const UNLIMITED = [
  'statement_timeout=0',
  'lock_timeout=0',
  'idle_in_transaction_session_timeout=0',
];

/**
 * What decides the plan of an engine's statement is written out in it. PostgreSQL would still plan some anew for the
 * values of each execution, which takes longer than executing them. And every one of them has its index: a table of a
 * few pages is cheaper to read whole, but the plan stays in use while the table grows.
 */
const ENGINE_SETTINGS = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'];

const OWN_OPTIONS = /([?&])options=([^&]*)/;

/** Our settings, then those of the address, which take precedence. */
function sessionOptions(url: string, settings: readonly string[]): string {
  const ours = [...SESSION_SETTINGS, ...settings].map((setting) => `-c ${setting}`);
  // A URL spells a space as %20 or +.
  const theirs = decodeURIComponent((OWN_OPTIONS.exec(url)?.[2] ?? '').replaceAll('+', ' '));
  return [...ours, theirs].join(' ').trim();
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format);
}
