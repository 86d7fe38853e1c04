import type { Script } from '../transactions/script.ts';
import { createTransaction } from '../transactions/transaction.ts';
import {
  openSqliteConnection,
  SQLITE,
  SQLITE_CLOCK_TEXTS,
  type SqliteConnection,
} from './sqlite-connection.ts';

type AnyScript = Script<unknown, unknown>;

interface WaitingLookup extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  readonly script: AnyScript;
  readonly input: unknown;
}

/** The lookup could not be done here; the database thread can do it, because it waits for locks. */
export class LookupFailedError extends Error {
  override readonly name = 'LookupFailedError';
}

export interface Lookups {
  /** @throws LookupFailedError when this connection could not read; other errors are the script's own */
  find(script: AnyScript, input: unknown): Promise<unknown>;
  close(): void;
}

/**
 * Finds single rows on the caller's own thread, because a message to another thread costs several times the
 * read itself. The connection is read-only and never waits. Calls of one turn of the event loop share a
 * transaction, which begins after all of them.
 */
export function openLookups(path: string): Lookups {
  const connection = openSqliteConnection(path, 'lookup');
  let waiting: WaitingLookup[] = [];

  async function turn(): Promise<void> {
    const lookups = waiting;
    waiting = [];
    for (const answer of await findAll(connection, lookups)) answer();
  }

  return {
    find(script, input) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      if (waiting.length === 0) setImmediate(() => void turn());
      waiting.push({ script, input, resolve, reject });
      return promise;
    },
    close: () => connection.raw.close(),
  };
}

/** Returns each call's answer once the transaction has ended. */
async function findAll(
  connection: SqliteConnection,
  lookups: readonly WaitingLookup[],
): Promise<(() => void)[]> {
  const { raw } = connection;
  try {
    raw.exec('begin');
    const answers: (() => void)[] = [];
    for (const lookup of lookups) answers.push(await attempt(connection, lookup));
    raw.exec('commit');
    return answers;
  } catch (cause) {
    if (raw.isOpen && raw.isTransaction) raw.exec('rollback');
    return lookups.map(
      ({ reject }) =>
        () =>
          reject(failed(cause)),
    );
  }
}

async function attempt(
  connection: SqliteConnection,
  { script, input, resolve, reject }: WaitingLookup,
): Promise<() => void> {
  try {
    const transaction = createTransaction(connection, SQLITE, SQLITE_CLOCK_TEXTS, []);
    const value = await script.run(transaction, input);
    return () => resolve(value);
  } catch (error) {
    const isOfDatabase = error instanceof Error && 'errcode' in error;
    return () => reject(isOfDatabase ? failed(error) : error);
  }
}

function failed(cause: unknown): LookupFailedError {
  return new LookupFailedError('the connection for look-ups failed', { cause });
}
