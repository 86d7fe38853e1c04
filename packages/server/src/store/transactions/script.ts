import type { Kysely, RawBuilder } from 'kysely';
import type { Pool } from '../../rules/claiming/pool.ts';
import type { Database } from '../schema/tables.ts';

/** A committed transaction's message to the engine, delivered after COMMIT. */
export type Signal =
  /** Jobs of the pool may be claimed; none of them is older than `seq`, if it is known. */
  | { readonly kind: 'ready'; readonly pool: Pool; readonly seq?: number }
  | { readonly kind: 'finished'; readonly jobId: string }
  | { readonly kind: 'progress'; readonly jobId: string }
  | { readonly kind: 'cancel'; readonly jobId: string }
  | { readonly kind: 'event'; readonly organizationId: number }
  /** An endpoint of the organization was created or changed, or has something to send. */
  | { readonly kind: 'webhook'; readonly organizationId: number }
  /** Another process has written something, or signals may have been missed: check everything again. */
  | { readonly kind: 'changed' };

/** What differs in the text of a statement. Where the algorithm differs, a script asks for the name. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** The database clock in milliseconds, as an expression; without the test clock's offset. */
  readonly clock: RawBuilder<number>;
  /** Takes locks on names, in this order, until the transaction ends; a no-op where writers are serial anyway. */
  lock(tx: Pick<Transaction, 'run'>, ...names: readonly string[]): Promise<void>;
  /** The elements of a JSON array as a table `line (n, value)`, `n` from 1: many rows in one statement. */
  each(json: string): RawBuilder<unknown>;
  /** All transactions below this number have ended, in the snapshot of the statement that uses it. */
  readonly eventHorizon: RawBuilder<number>;
  /** The end of a statement that locks its rows, for itself or against changes; nothing where writers are serial. */
  readonly forUpdate: RawBuilder<unknown>;
  readonly forShare: RawBuilder<unknown>;
  /** Likewise, but passes over rows that others have locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /**
   * That a column is one of these values, with one text for any number of them: each text is prepared once for each
   * connection, and a list of placeholders would make another for each length.
   */
  isOneOf(
    column: string,
    values: readonly (string | number)[],
    type: 'text' | 'bigint',
  ): RawBuilder<boolean>;
}

/** Runs one statement as given; the caller guarantees the type of its rows. */
export type RunStatement = <Row>(
  text: string,
  parameters: readonly unknown[],
) => Row[] | Promise<Row[]>;

/** The context of a script: one transaction. */
export interface Transaction {
  readonly db: Kysely<Database>;
  /** Runs a finished text without Kysely, for statements that are compiled once. */
  readonly run: RunStatement;
  readonly dialect: Dialect;
  /**
   * Business time in milliseconds: database clock plus the offset of the test clock.
   * Asks the database each time, because a time read before a lock was taken would reorder jobs.
   */
  now(): Promise<number>;
  /** Business time as an expression, where a separate statement would cost a round trip. */
  readonly clock: RawBuilder<number>;
  /** Real time of the database in milliseconds, for leases. */
  realNow(): Promise<number>;
  /** Sent after COMMIT; discarded on rollback. */
  signal(signal: Signal): void;
  /**
   * Everything has been sent, and fails by itself where it must not be committed. On PostgreSQL the COMMIT then goes
   * with it, and so does the notice of these signals, which may say more than will have become true.
   */
  conclude(expected: readonly Signal[]): void;
}

/**
 * Thrown by a script to be rolled back and run again from the start, because another transaction was faster
 * between its read and its write. Happens only with concurrent writers.
 */
export class RetryTransactionError extends Error {
  override readonly name = 'RetryTransactionError';
}

/** A transaction script: plain data in and out, all of it structured-cloneable, for it may run on another thread. */
export interface Script<Input, Output> {
  readonly kind: 'read' | 'write';
  /**
   * Finds one row by its key: on SQLite where it is called, without a message to the thread and without a promise.
   * Those who ask for the same text at the same time share one.
   */
  lookup?(transaction: Transaction, input: Input): Output | Promise<Output>;
  /** May run twice: sent again over a fresh connection when the first answer is late. */
  readonly hedged?: true;
  /**
   * Its statements find and order rows by an index that they mean, and PostgreSQL must not read the table or another
   * index and sort: while a table is small or has no statistics that looks as cheap, and is a walk over all of it.
   */
  readonly inIndexOrder?: true;
  run(transaction: Transaction, input: Input): Promise<Output>;
  readonly waits?: Waits<Input, Output>;
  /**
   * Run before `run`, on PostgreSQL only, where each of its statements is a transaction of its own, sent in one packet.
   * Null: `run` has to do it.
   */
  atOnce?(transaction: Transaction, input: Input): Promise<Output | null>;
  /** `together` is for SQLite too, where calls that stand next to each other share a savepoint. */
  readonly sharesSavepoint?: true;
  /** Runs calls that wait together in one transaction, or reads in one statement, because each costs a round trip. */
  together?(
    transaction: Transaction,
    inputs: readonly Input[],
  ): Promise<readonly BatchOutcome<Output>[]>;
}

/** On SQLite a call may wait in the thread for a ready job, and then run in the very transaction that made it so. */
export interface Waits<Input, Output> {
  /** The pool whose ready jobs it waits for; null if this is its answer. */
  waitsFor(input: Input, output: Output): Pool | null;
  /** Its input once jobs of the pool are ready, of which none is older than `seq`. */
  again(input: Input, ready: { readonly seq: number; readonly waitedMs: number }): Input;
}

/** What became of one call of a batch. `again`: it depends on another, and is run once that has committed. */
export type BatchOutcome<Output> =
  | { readonly kind: 'done'; readonly value: Output }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'again' };

/** A script that changes nothing. On SQLite it runs beside the writer, on a separate connection. */
export function read<Input, Output>(
  run: (transaction: Transaction, input: Input) => Promise<Output>,
): Script<Input, Output> {
  return { kind: 'read', run };
}

/** A read that on PostgreSQL shares its statements with others that wait at the same time. */
export function batchedRead<Input, Output>(
  run: (transaction: Transaction, input: Input) => Promise<Output>,
  together: (transaction: Transaction, inputs: readonly Input[]) => Promise<readonly Output[]>,
): Script<Input, Output> {
  return {
    kind: 'read',
    run,
    together: async (tx, inputs) =>
      (await together(tx, inputs)).map((value) => ({ kind: 'done', value })),
  };
}

/** A read of one row by its key, in `compiled` statements; no list, and nothing that may be large. */
export function lookup<Input, Output>(
  find: (transaction: Transaction, input: Input) => Output | Promise<Output>,
): Script<Input, Output> {
  return { kind: 'read', lookup: find, run: async (tx, input) => find(tx, input) };
}

/** A script that writes. It commits whole or not at all; on SQLite several share one COMMIT, each in its SAVEPOINT. */
export function write<Input, Output>(
  run: (transaction: Transaction, input: Input) => Promise<Output>,
): Script<Input, Output> {
  return { kind: 'write', run };
}

/** A write that may run twice without harm, and must not wait for a connection that went silent. */
export function hedgedWrite<Input, Output>(
  run: (transaction: Transaction, input: Input) => Promise<Output>,
): Script<Input, Output> {
  return { kind: 'write', hedged: true, run };
}

/** A write that on PostgreSQL shares its transaction with others; when that fails, each runs alone. */
export function batchedWrite<Input, Output>(
  run: (transaction: Transaction, input: Input) => Promise<Output>,
  together: NonNullable<Script<Input, Output>['together']>,
): Script<Input, Output> {
  return { kind: 'write', run, together };
}

/** The same script; on SQLite calls next to each other share a savepoint, and when it fails, each runs alone. */
export function inOneSavepoint<Input, Output>(
  script: Script<Input, Output>,
): Script<Input, Output> {
  return { ...script, sharesSavepoint: true };
}

/** The same script, which on PostgreSQL first tries to do its work with one statement and one round trip. */
export function atOnce<Input, Output>(
  script: Script<Input, Output>,
  run: NonNullable<Script<Input, Output>['atOnce']>,
): Script<Input, Output> {
  return { ...script, atOnce: run };
}

/** The same script, which may wait on SQLite. */
export function waiting<Input, Output>(
  script: Script<Input, Output>,
  waits: Waits<Input, Output>,
): Script<Input, Output> {
  return { ...script, waits };
}

/** The same script; each of its statements reads by the index whose order it asks for. */
export function inIndexOrder<Input, Output>(script: Script<Input, Output>): Script<Input, Output> {
  return { ...script, inIndexOrder: true };
}

/** The callable face of a group of scripts: `store.jobs.submit(input)`. */
export type Callable<Scripts> = {
  readonly [Name in keyof Scripts]: Scripts[Name] extends Script<infer Input, infer Output>
    ? unknown extends Input
      ? () => Promise<Output>
      : (input: Input) => Promise<Output>
    : never;
};
