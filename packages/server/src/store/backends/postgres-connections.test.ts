import { ERROR_CODES } from '@changgu/contract/errors';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../rules/service-error.ts';
import { openStore, type Store } from '../database.ts';
import { createPostgresDatabase, type TestDatabase } from '../testing/describe-stores.ts';
import { type FreezingProxy, startFreezingProxy } from '../testing/freezing-proxy.ts';
import { ALL_ACTS } from '../testing/no-filter.ts';
import { write } from '../transactions/script.ts';
import { call } from './postgres-calls.ts';
import { clientConfig, createConnections } from './postgres-connections.ts';
import { judge } from './postgres-errors.ts';

const ANSWER_MS = 1_000;
const HEARTBEAT = { owner: 'worker', ids: ['job'], leaseMs: 30_000 };

let database: TestDatabase;
let proxy: FreezingProxy;
let store: Store;

beforeAll(async () => {
  database = await createPostgresDatabase();
  proxy = await startFreezingProxy(database.url);
  store = await openStore({ url: proxy.url, answerMs: ANSWER_MS, poolSize: 3 });
});
afterEach(() => proxy.thaw());
afterAll(async () => {
  await store.close();
  proxy.close();
  await database.remove();
});

it('waits longer for its first connection than for an answer: nothing is leased yet', async () => {
  const busy = await startFreezingProxy(database.url, { firstAfterMs: 2 * ANSWER_MS });
  const late = await openStore({ url: busy.url, answerMs: ANSWER_MS, poolSize: 3 });
  await expect(late.clock.now()).resolves.toBeGreaterThan(0);
  await late.close();
  busy.close();
});

it('lets the database itself end what takes too long (D132)', async () => {
  const client = new pg.Client(clientConfig(database.url, ANSWER_MS));
  await client.connect();
  const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
  const shown = await Promise.all(settings.map((name) => client.query(`show ${name}`)));
  expect(shown.flatMap(({ rows }) => Object.values(rows[0]))).toEqual(['750ms', '500ms', '1s']);
  await expect(client.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  await client.end();
});

it('keeps both ends of a connection awake, so that each notices when the other has vanished', async () => {
  const config = clientConfig(database.url, ANSWER_MS);
  expect(config).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
  const client = new pg.Client(config);
  await client.connect();
  const settings = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count'];
  const shown = await Promise.all(settings.map((name) => client.query(`show ${name}`)));
  expect(shown.flatMap(({ rows }) => Object.values(rows[0]))).toEqual(['10', '5', '3']);
  await client.end();
});

describe('the connections of a process', () => {
  const open = (answerMs: number) =>
    createConnections({ url: database.url, requests: 2, engine: 2, answerMs });

  it('bear the end of each of them, in use or idle, in the middle of a transaction or alone', async () => {
    const connections = open(10 * ANSWER_MS);
    const used = await connections.connect('requests');
    const idle = await connections.connect('engine');
    const alone = await connections.connectAlone('unlimited');
    const clients = [used, idle, alone];
    // An error event without a listener would end the process.
    for (const client of clients) expect(client.listenerCount('error')).toBeGreaterThan(0);
    const ended = Promise.all(
      clients.map((client) => new Promise<void>((resolve) => client.once('end', resolve))),
    );
    await used.query('begin');
    idle.release();
    await terminateOthers();
    await ended;
    used.release(true);
    const next = await connections.connect('engine');
    expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    next.release();
    await connections.close();
  });

  it('are replaced once, however many of them went silent at the same time', async () => {
    const connections = open(10 * ANSWER_MS);
    const pidOf = async (client: pg.PoolClient) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      return rows[0].pid;
    };
    const [first, second] = [
      await connections.connect('requests'),
      await connections.connect('requests'),
    ];
    connections.renew(first);
    const fresh = await connections.connect('requests');
    const pid = await pidOf(fresh);
    expect([await pidOf(first), await pidOf(second)]).not.toContain(pid);
    fresh.release();
    connections.renew(second);
    const next = await connections.connect('requests');
    expect(await pidOf(next)).toBe(pid);
    for (const client of [first, second, next]) client.release();
    await connections.close();
  });

  it('close although one of them is never given back', async () => {
    const connections = open(ANSWER_MS);
    await connections.connect('requests');
    await expect(connections.close()).resolves.toBeUndefined();
  });
});

it('plans the statements of the engine once, and those of requests for their values', async () => {
  const sizes = { requests: 1, engine: 1 };
  const connections = createConnections({ url: database.url, answerMs: ANSWER_MS, ...sizes });
  const modeOf = async (use: 'engine' | 'requests') => {
    const client = await connections.connect(use);
    const { rows } = await client.query('show plan_cache_mode');
    client.release();
    return rows[0].plan_cache_mode;
  };
  expect(await modeOf('engine')).toBe('force_generic_plan');
  expect(await modeOf('requests')).toBe('auto');
  await connections.close();
});

it('compiles no statement: what the engine avoids looks too expensive to run uncompiled (D132)', async () => {
  expect(await shownByAll(database.url, 'jit')).toEqual(['off', 'off', 'off', 'off']);
});

it.each(['-c%20jit%3Don', '-c+jit%3Don'])(
  'lets the address decide about the settings of a session: %s',
  async (options) => {
    const url = `${database.url}?options=${options}`;
    expect(await shownByAll(url, 'jit')).toEqual(['on', 'on', 'on', 'on']);
  },
);

describe('a statement that takes too long', () => {
  it('fails alone: the connections are not silent, and stay', async () => {
    await Promise.all([store.clock.now(), store.clock.now(), store.clock.now()]);
    const before = await pidsOfStore();
    const other = await connectDirectly();
    await other.query(`create function slow() returns trigger language plpgsql
      as 'begin perform pg_sleep(10); return new; end';
      create trigger slow before insert on settings for each row execute function slow()`);
    await expect(store.clock.advance({ seconds: 1 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await other.query('drop trigger slow on settings; drop function slow()');
    await other.end();
    await expect(store.clock.now()).resolves.toBeGreaterThan(0);
    expect(await pidsOfStore()).toEqual(before);
  });
});

describe('a connection that went silent', () => {
  it('costs a heartbeat a moment and never its answer', async () => {
    await store.engine.heartbeat(HEARTBEAT);
    proxy.freeze();
    await expect(store.engine.heartbeat(HEARTBEAT)).resolves.toEqual([]);
  });

  it('is not waited for by a heartbeat, which is sent again over a fresh one', async () => {
    await Promise.all([store.engine.heartbeat(HEARTBEAT), store.clock.now(), store.clock.now()]);
    proxy.freeze();
    const answered: string[] = [];
    await Promise.all([
      // Begins again only when its connection has been given up.
      store.clock.now().then(() => answered.push('read')),
      store.engine.heartbeat(HEARTBEAT).then(() => answered.push('heartbeat')),
    ]);
    expect(answered).toEqual(['heartbeat', 'read']);
  });

  it('is given up with its neighbours: the next transaction begins on a fresh one', async () => {
    await Promise.all([store.clock.now(), store.clock.now(), store.clock.now()]);
    proxy.freeze();
    await expect(store.clock.advance({ seconds: 1 })).resolves.toBeGreaterThan(0);
    await expect(store.clock.now()).resolves.toBeGreaterThan(0);
  });

  it('does not keep a store from closing', async () => {
    const other = await openStore({ url: proxy.url, answerMs: ANSWER_MS });
    await other.clock.now();
    proxy.freeze();
    await expect(other.close()).resolves.toBeUndefined();
  });
});

describe('a server that restarts', () => {
  it('ends no process: calls in progress fail, later ones and signals work', async () => {
    // They have to be seen waiting for a lock, however busy the machine is.
    const patient = { answerMs: 60_000, maxLockMs: 30_000 };
    const store = await openStore({ url: database.url, poolSize: 3, ...patient });
    const heard = new Promise<void>((resolve) => {
      store.onSignal(({ kind }) => kind === 'changed' && resolve());
    });
    await store.clock.advance({ seconds: 1 });
    const holder = await connectDirectly();
    await holder.query('begin; update settings set value = value');
    const calls = Promise.allSettled(
      Array.from({ length: 3 }, () => store.clock.advance({ seconds: 1 })),
    );
    await untilWaitingForLocks(3);
    await holder.query(TERMINATE_OTHERS);
    await holder.end();
    for (const { status } of await calls) expect(status).toBe('rejected');
    await heard;
    await expect(store.clock.now()).resolves.toBeGreaterThan(0);
    await store.close();
  });
});

describe('a lock whose holder vanished', () => {
  const chunk = { artifactId: 'art_1', number: 0 };
  it.each([
    ['audit', () => store.audit.list({ ...ALL_ACTS, limit: 1 })],
    // Downloads are requests too.
    ['artifact_chunks', () => store.results.readChunk(chunk)],
  ])(
    'fails the calls that wait for %s, and leaves connections to the engine and to health',
    async (table, read: () => Promise<unknown>) => {
      const holder = await connectDirectly();
      await holder.query(`begin; lock table ${table}`);
      let waiting = 12;
      const stuck = Array.from({ length: waiting }, () =>
        read()
          .catch((error: unknown) => error)
          .finally(() => {
            waiting -= 1;
          }),
      );
      await untilWaitingForLocks(3);
      await expect(store.ping()).resolves.toBeGreaterThan(0);
      await expect(store.engine.heartbeat(HEARTBEAT)).resolves.toEqual([]);
      await expect(store.engine.findStalledLanes({ after: '' })).resolves.toBeDefined();
      // A connection that they shared would have come to the engine after all of them.
      expect(waiting).toBeGreaterThan(3);
      for (const answer of await Promise.all(stuck)) {
        expect(answer).toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
          details: { retryAfterSeconds: 1 },
        });
      }
      await holder.end();
    },
  );
});

it('waits once more for a lock that it waited for too long', async () => {
  const limits = { requests: 1, engine: 1, answerMs: 10 * ANSWER_MS, maxLockMs: 100 };
  const connections = createConnections({ url: database.url, ...limits });
  const caller = { connections, emit: () => {}, behindCommit: () => [], hedgeMs: ANSWER_MS };
  const holder = await connectDirectly();
  await holder.query('begin; lock table audit');
  let attempts = 0;
  const late = write(async (tx) => {
    attempts += 1;
    if (attempts === 2) await holder.query('rollback');
    return tx.run('lock table audit', []);
  });
  const name = { group: 'audit', script: 'late' };
  await expect(call(caller, name, late, undefined)).resolves.toEqual([]);
  expect(attempts).toBe(2);
  await holder.end();
  await connections.close();
});

describe('a table that another version changed', () => {
  it('is read again with a new plan: the caller notices nothing', async () => {
    const patient = await openStore({ url: database.url, answerMs: 30_000, poolSize: 3 });
    const read = () => patient.audit.list({ ...ALL_ACTS, limit: 1 });
    await Promise.all([read(), read(), read()]);
    const other = await connectDirectly();
    // A column more changes no plan, for statements name theirs; another type does.
    await other.query('alter table audit add column future text');
    await expect(Promise.all([read(), read(), read()])).resolves.toHaveLength(3);
    await other.query('alter table audit alter column user_agent type varchar(1000)');
    await expect(Promise.all([read(), read(), read()])).resolves.toHaveLength(3);
    await other.query('alter table audit drop column future, alter column user_agent type text');
    await other.end();
    await patient.close();
  });
});

/** A setting as each kind of connection has it. */
async function shownByAll(url: string, setting: string): Promise<string[]> {
  const connections = createConnections({ url, requests: 1, engine: 1, answerMs: ANSWER_MS });
  const clients = [
    await connections.connect('requests'),
    await connections.connect('engine'),
    await connections.connectAlone('limited'),
    await connections.connectAlone('unlimited'),
  ];
  const shown = await Promise.all(clients.map((client) => client.query(`show ${setting}`)));
  await connections.close();
  return shown.map(({ rows }) => rows[0][setting]);
}

/** The server's processes of the store's connections. */
async function pidsOfStore(): Promise<number[]> {
  const watcher = await connectDirectly();
  const { rows } = await watcher.query(`select pid from pg_stat_activity
    where datname = current_database() and application_name = 'changgu' order by pid`);
  await watcher.end();
  return rows.map(({ pid }) => pid);
}

const TERMINATE_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

async function terminateOthers(): Promise<void> {
  const other = await connectDirectly();
  await other.query(TERMINATE_OTHERS);
  await other.end();
}

async function connectDirectly(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Asks on a separate connection: within a transaction, statistics never change. */
async function untilWaitingForLocks(count: number): Promise<void> {
  const watcher = await connectDirectly();
  await expect
    .poll(async () => {
      const { rows } = await watcher.query(`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return rows[0].n;
    })
    .toBeGreaterThanOrEqual(count);
  await watcher.end();
}

it('takes what a script refuses for no broken connection, whatever its code is', () => {
  const harmless = { retry: false, broken: false, suspectAll: false, unavailable: false };
  for (const code of ERROR_CODES) expect(judge(new ServiceError(code)), code).toEqual(harmless);
  const lost = Object.assign(new Error('lost'), { code: 'EPIPE' });
  expect(judge(lost)).toMatchObject({ broken: true, unavailable: true });
});
