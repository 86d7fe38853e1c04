import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { Database } from '../schema/tables.ts';
import type { Session } from '../transactions/transaction.ts';
import { CHANNEL } from './postgres-signals.ts';

/** Prepared statements per connection; further texts are sent unprepared. */
const NAMED_STATEMENTS = 500;
/** Texts with further parameters are not named: they hold as many rows as there happen to be. */
const NAMED_PARAMETERS = 100;
const READS = /^select\b/;
const PREPARABLE = /^\s*(select|insert|update|delete|with)\b/;

/** A new connection replans after this long, and then whenever its age has doubled. */
const FIRST_PLANS_MS = 1_000;
/** After this long, the statistics gathered by autovacuum suffice. */
const LAST_PLANS_MS = 120_000;

/** After this long without a new transaction, in milliseconds, the server's process sleeps, and has time. */
const QUIET_MS = 15;

const IN_INDEX_ORDER =
  '; set local enable_sort = off; set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan';

const NOTIFY = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`;

const statementNames = new Map<string, string>();

export interface TransactionLimits {
  /** The longest wait of a statement for a lock. */
  readonly maxLockMs?: number | undefined;
  /** Statements never read a whole table that is small yet, nor sort what an index has in order. */
  readonly inIndexOrder?: boolean | undefined;
}

/** A connection as scripts use it: typed queries, and a transaction around them. */
export interface PostgresSession extends Session {
  /** Need not be waited for: nothing is changed before it is known to have succeeded. */
  begin(limits?: TransactionLimits): Promise<void>;
  /**
   * Notices follow it in the same packet, whatever becomes of it. Until it is answered nothing else may be sent.
   * @throws when the server rolled back instead, because a statement's failure went unnoticed
   */
  commit(notices?: readonly string[]): Promise<void>;
  /** Tells other processes. A notice may be lost, so it waits for no disk. */
  notify(notice: string): Promise<unknown>;
  rollback(): Promise<void>;
  /** Each statement is a transaction of its own, all of which goes in one packet. */
  oneByOne(limits?: TransactionLimits): Session;
  /**
   * Discards plans made for tables of another size, if it is time. On a new database the first plans are
   * for empty tables, where a full scan costs nothing, and would stay in use during minutes of load.
   */
  renewPlans(): Promise<void>;
  /** False once a rollback failed: the connection's next behavior is unknown. */
  readonly usable: boolean;
}

const sessions = new WeakMap<pg.ClientBase, PostgresSession>();

/** The session of a connection, created once: statements stay prepared as long as the connection lives. */
export function sessionOf(client: pg.ClientBase): PostgresSession {
  const known = sessions.get(client);
  if (known) return known;
  let beginning: Promise<unknown> | null = null;
  const packets = createPackets(client);
  const connection = connectionOf(client, () => beginning);
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOf(connection),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  let usable = true;
  let committing = false;
  const session: PostgresSession = {
    db,
    async run<Row>(text: string, values: readonly unknown[]) {
      if (beginning !== null && !READS.test(text)) await beginning;
      if (committing) throw new Error('a statement after the COMMIT');
      packets.fill();
      const answer = client.query(queryOf(text, values));
      if (beginning !== null) await Promise.all([beginning, answer]);
      return (await answer).rows as Row[];
    },
    async begin(limits) {
      packets.begin();
      beginning = client.query(beginText(limits));
      await beginning.finally(() => {
        beginning = null;
      });
    },
    async commit(notices = []) {
      packets.fill();
      committing = true;
      const committed = client.query('commit').finally(() => {
        committing = false;
      });
      for (const notice of notices) void session.notify(notice).catch(() => {});
      const { command } = await committed;
      if (command === 'ROLLBACK') throw new Error('the transaction had failed and was rolled back');
    },
    notify: (notice) => client.query({ name: 'notify', text: NOTIFY, values: [CHANNEL, notice] }),
    oneByOne: (limits) => ({ db, run: runOneByOne(client, packets, limits) }),
    async rollback() {
      usable = false;
      await client.query('rollback');
      usable = true;
    },
    renewPlans: renewalOf(client),
    get usable() {
      return usable;
    },
  };
  sessions.set(client, session);
  return session;
}

function renewalOf(client: pg.ClientBase): PostgresSession['renewPlans'] {
  const born = performance.now();
  let plansLast = FIRST_PLANS_MS;
  return async () => {
    const age = performance.now() - born;
    if (age < plansLast) return;
    plansLast = age < LAST_PLANS_MS ? 2 * age : Number.POSITIVE_INFINITY;
    await client.query('discard plans');
  };
}

function runOneByOne(
  client: pg.ClientBase,
  packets: Packets,
  limits?: TransactionLimits,
): Session['run'] {
  return async <Row>(text: string, values: readonly unknown[]) => {
    packets.begin();
    const begun = client.query(beginText(limits));
    const answer = client.query(queryOf(text, values));
    // If one of them fails, the server rolls back instead.
    const sent = [begun, answer, client.query('commit')];
    await Promise.allSettled(sent);
    await Promise.all(sent);
    return (await answer).rows as Row[];
  };
}

function beginText({ maxLockMs, inIndexOrder }: TransactionLimits = {}): string {
  const lock = maxLockMs === undefined ? '' : `; set local lock_timeout = ${maxLockMs}`;
  return `begin${lock}${inIndexOrder ? IN_INDEX_ORDER : ''}`;
}

interface Packets {
  /** Before a transaction is sent. */
  begin(): void;
  /** What is sent in this turn leaves in one packet: each would wake the server's process by itself. */
  fill(): void;
}

/**
 * After a pause each statement leaves at once instead: waking up takes the server as long as it takes to put the
 * others together, and one caller waits for both.
 */
function createPackets(client: pg.ClientBase): Packets {
  // A client of a pool is one too, which its type does not say.
  const { stream } = (client as pg.Client).connection;
  let begunAt = performance.now();
  let isQuiet = false;
  function fill(): void {
    if (isQuiet || stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  return {
    begin() {
      const now = performance.now();
      isQuiet = now - begunAt > QUIET_MS;
      begunAt = now;
      fill();
    },
    fill,
  };
}

function connectionOf(
  client: pg.ClientBase,
  beginning: () => Promise<unknown> | null,
): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      await beginning();
      const { command, rowCount, rows } = await client.query(queryOf(sql, parameters));
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery() {
      throw new Error('no script streams rows');
    },
  };
}

function queryOf(text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = nameOf(text);
  return { text, values: [...values], ...(name === undefined ? {} : { name }) };
}

/** Kysely asks its driver for connections and transactions; a session has one and begins its own. */
function driverOf(connection: DatabaseConnection) {
  const ownTransaction = async () => {
    throw new Error('the store opens transactions, not scripts');
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    destroy: async () => {},
    beginTransaction: ownTransaction,
    commitTransaction: ownTransaction,
    rollbackTransaction: ownTransaction,
  };
}

/** A name per distinct text, so that a connection parses and plans it once. */
function nameOf(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= NAMED_STATEMENTS) return known;
  if (!PREPARABLE.test(text) || text.includes(`$${NAMED_PARAMETERS + 1}`)) return undefined;
  const name = `s${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}
