import type { Script, Transaction } from '../transactions/script.ts';
import { createTransaction } from '../transactions/transaction.ts';
import { openSqliteConnection, SQLITE, SQLITE_CLOCK_TEXTS } from './sqlite-connection.ts';

type AnyScript = Script<unknown, unknown>;

/** One lookup and all who wait for its answer. */
interface WaitingLookup extends PromiseWithResolvers<unknown> {
  readonly script: AnyScript;
  readonly input: unknown;
}

/** How many lookups that follow from one another may share a transaction: credentials, and what they may see. */
const ROUNDS = 4;

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
 * transaction, which begins after all of them. So do calls that follow from their answers without waiting
 * for anything else: whatever they depend on was committed before that turn.
 */
export function openLookups(path: string): Lookups {
  const connection = openSqliteConnection(path, 'lookup');
  const transaction = createTransaction(connection, SQLITE, SQLITE_CLOCK_TEXTS, []);
  const waiting = createWaitingLookups();
  let isTurn = false;

  async function turn(): Promise<void> {
    try {
      connection.control.begin.run();
      for (let round = 0; round < ROUNDS && waiting.some(); round += 1) {
        for (const lookup of waiting.take()) await answer(transaction, lookup);
        await untilAllHaveAsked();
      }
      connection.control.commit.run();
    } catch (cause) {
      const { raw } = connection;
      if (raw.isOpen && raw.isTransaction) raw.exec('rollback');
      for (const { reject } of waiting.take()) reject(failed(cause));
    }
    isTurn = false;
    if (waiting.some()) schedule();
  }

  function schedule(): void {
    isTurn = true;
    setImmediate(() => void turn());
  }

  return {
    find(script, input) {
      const { promise } = waiting.add(script, input);
      if (!isTurn) schedule();
      return promise;
    },
    close: () => connection.raw.close(),
  };
}

/** Whoever asks for the same text at the same time shares one lookup. */
function createWaitingLookups() {
  let lookups: WaitingLookup[] = [];
  const byText = new Map<string, WaitingLookup>();
  return {
    some: () => lookups.length > 0,
    add(script: AnyScript, input: unknown): WaitingLookup {
      const same = typeof input === 'string' ? byText.get(input) : undefined;
      if (same?.script === script) return same;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const lookup = { promise, resolve, reject, script, input };
      lookups.push(lookup);
      if (typeof input === 'string') byText.set(input, lookup);
      return lookup;
    },
    take(): WaitingLookup[] {
      const taken = lookups;
      lookups = [];
      byText.clear();
      return taken;
    },
  };
}

async function answer(
  transaction: Transaction,
  { script, input, resolve, reject }: WaitingLookup,
): Promise<void> {
  try {
    resolve(await script.run(transaction, input));
  } catch (error) {
    const isOfDatabase = error instanceof Error && 'errcode' in error;
    reject(isOfDatabase ? failed(error) : error);
  }
}

/** Node runs this when nothing is left that could go on without an event. */
function untilAllHaveAsked(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function failed(cause: unknown): LookupFailedError {
  return new LookupFailedError('the connection for look-ups failed', { cause });
}
