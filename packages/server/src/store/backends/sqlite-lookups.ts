import type { Script } from '../transactions/script.ts';
import { createTransaction, type Session } from '../transactions/transaction.ts';
import {
  openSqliteConnection,
  SQLITE,
  SQLITE_CLOCK_TEXTS,
  type SqliteConnection,
} from './sqlite-connection.ts';

/** What a look-up could not do here, and the thread of the database may: it waits for locks. */
export class LookupFailedError extends Error {
  override readonly name = 'LookupFailedError';
}

export interface Lookups {
  /** @throws LookupFailedError when this connection could not read; other errors are the script's own */
  find(script: Script<unknown, unknown>, input: unknown): Promise<unknown>;
  close(): void;
}

/**
 * Finds single rows on the caller's own thread, where a message to another would cost several times the
 * reading. The connection can only read, and never waits.
 */
export function openLookups(path: string): Lookups {
  const connection = openSqliteConnection(path, 'lookup');
  return {
    find: (script, input) =>
      script.run(
        createTransaction(oneStatement(connection), SQLITE, SQLITE_CLOCK_TEXTS, []),
        input,
      ),
    close: () => connection.raw.close(),
  };
}

/** Others commit between two statements, so a look-up that needs one state of the database has one statement. */
function oneStatement({ db, run }: SqliteConnection): Session {
  let used = false;
  return {
    db,
    run: <Row>(text: string, parameters: readonly unknown[]) => {
      if (used) throw new Error('a look-up is one statement');
      used = true;
      try {
        return run<Row>(text, parameters);
      } catch (cause) {
        throw new LookupFailedError('the connection for look-ups failed', { cause });
      }
    },
  };
}
