import type { Script, Transaction } from '../transactions/script.ts';
import { createTransaction } from '../transactions/transaction.ts';
import { openSqliteConnection, SQLITE, SQLITE_CLOCK_TEXTS } from './sqlite-connection.ts';

type Find = NonNullable<Script<unknown, unknown>['lookup']>;

/** One lookup and all who wait for its answer. */
interface WaitingLookup extends PromiseWithResolvers<unknown> {
  readonly find: Find;
  readonly input: unknown;
  readonly otherwise: AskThread;
}

/** Asks the thread of the database the same, which waits for locks. */
type AskThread = () => Promise<unknown>;

/** How many lookups that follow from one another may share a transaction: credentials, and what they may see. */
const ROUNDS = 4;

export interface Lookups {
  /** What this connection cannot read is found `otherwise`; errors are the script's own. */
  find(find: Find, input: unknown, otherwise: AskThread): Promise<unknown>;
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
        for (const lookup of waiting.take()) answer(transaction, lookup);
        await untilAllHaveAsked();
      }
      connection.control.commit.run();
    } catch {
      const { raw } = connection;
      if (raw.isOpen && raw.isTransaction) raw.exec('rollback');
      for (const { resolve, otherwise } of waiting.take()) resolve(otherwise());
    }
    isTurn = false;
    if (waiting.some()) schedule();
  }

  function schedule(): void {
    isTurn = true;
    setImmediate(() => void turn());
  }

  return {
    find(find, input, otherwise) {
      const { promise } = waiting.add(find, input, otherwise);
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
    add(find: Find, input: unknown, otherwise: AskThread): WaitingLookup {
      const same = typeof input === 'string' ? byText.get(input) : undefined;
      if (same?.find === find) return same;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const lookup = { promise, resolve, reject, find, input, otherwise };
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

function answer(transaction: Transaction, lookup: WaitingLookup): void {
  try {
    const found = lookup.find(transaction, lookup.input);
    if (found instanceof Promise) found.then(lookup.resolve, (error) => fail(lookup, error));
    else lookup.resolve(found);
  } catch (error) {
    fail(lookup, error);
  }
}

function fail({ resolve, reject, otherwise }: WaitingLookup, error: unknown): void {
  const isOfDatabase = error instanceof Error && 'errcode' in error;
  if (isOfDatabase) resolve(otherwise());
  else reject(error);
}

/** Node runs a tick that a microtask has asked for when nothing is left that could go on without an event. */
function untilAllHaveAsked(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
