import { parentPort, workerData } from 'node:worker_threads';
import { findScript } from '../scripts.ts';
import { storeUnavailable, toFailure } from '../transactions/failure.ts';
import { type MergedSignals, mergeInto } from '../transactions/merge-signals.ts';
import type { Signal } from '../transactions/script.ts';
import { createTransaction } from '../transactions/transaction.ts';
import { migrate } from './migrate.ts';
import {
  openSqliteConnection,
  SQLITE,
  SQLITE_CLOCK_TEXTS,
  type SqliteConnection,
} from './sqlite-connection.ts';
import { watchForeignCommits } from './sqlite-foreign-commits.ts';
import type {
  FromThread,
  ThreadAnswer,
  ThreadCall,
  ThreadOptions,
  ToThread,
} from './sqlite-messages.ts';

/** One COMMIT is one fsync, so waiting writes share it. */
const GROUP_SCRIPTS = 32;
const GROUP_MS = 5;

if (parentPort === null) throw new Error('sqlite-thread runs as a worker thread');
const port = parentPort;
// The main thread starts this file with exactly these options.
const options = workerData as ThreadOptions;

const reads: ThreadCall[] = [];
const writes: ThreadCall[] = [];
let turnPlanned = false;
let closing = false;

function post(message: FromThread): void {
  port.postMessage(message);
}

async function open(): Promise<{ writer: SqliteConnection; reader: SqliteConnection }> {
  const writer = openSqliteConnection(options.path, 'writer');
  writer.raw.exec('begin immediate');
  await migrate(writer, SQLITE, options.migrate);
  writer.raw.exec('commit');
  return { writer, reader: openSqliteConnection(options.path, 'reader') };
}

class TransactionLostError extends Error {
  override readonly name = 'TransactionLostError';

  constructor(cause: unknown) {
    super('the transaction is lost', { cause });
  }
}

async function runScript(
  connection: SqliteConnection,
  call: ThreadCall,
  signals: Signal[],
): Promise<unknown> {
  const transaction = createTransaction(connection, SQLITE, SQLITE_CLOCK_TEXTS, signals);
  return findScript(call).run(transaction, call.input);
}

async function answerReads(connection: SqliteConnection): Promise<ThreadAnswer[]> {
  const batch = reads.splice(0);
  if (batch.length === 0) return [];
  try {
    const answers: ThreadAnswer[] = [];
    connection.raw.exec('begin');
    for (const call of batch) {
      answers.push(await attempt(call, () => runScript(connection, call, [])));
    }
    connection.raw.exec('commit');
    return answers;
  } catch (error) {
    return giveUp(connection, batch, error);
  }
}

async function attempt(call: ThreadCall, run: () => Promise<unknown>): Promise<ThreadAnswer> {
  try {
    return { id: call.id, ok: true, value: await run() };
  } catch (error) {
    if (error instanceof TransactionLostError) throw error.cause;
    return { id: call.id, ok: false, failure: toFailure(error) };
  }
}

/** Runs the waiting writes in one transaction, each in its savepoint; they are answered only after COMMIT. */
async function commitWrites(
  connection: SqliteConnection,
): Promise<{ answers: ThreadAnswer[]; signals: Signal[] }> {
  const taken: ThreadCall[] = [];
  const answers: ThreadAnswer[] = [];
  const signals: MergedSignals = new Map();
  try {
    connection.raw.exec('begin immediate');
    const started = performance.now();
    while (taken.length < GROUP_SCRIPTS && performance.now() - started < GROUP_MS) {
      const call = writes.shift();
      if (call === undefined) break;
      taken.push(call);
      answers.push(await attempt(call, () => inSavepoint(connection, call, signals)));
    }
    connection.raw.exec('commit');
    return { answers, signals: [...signals.values()] };
  } catch (error) {
    // BEGIN failed: nothing ran, but the calls have waited long enough.
    if (taken.length === 0) taken.push(...writes.splice(0, GROUP_SCRIPTS));
    return { answers: giveUp(connection, taken, error), signals: [] };
  }
}

function giveUp(
  { raw }: SqliteConnection,
  calls: readonly ThreadCall[],
  error: unknown,
): ThreadAnswer[] {
  if (raw.isTransaction) raw.exec('rollback');
  const failure = toFailure(storeUnavailable(error));
  return calls.map(({ id }) => ({ id, ok: false, failure }));
}

async function inSavepoint(
  connection: SqliteConnection,
  call: ThreadCall,
  signals: MergedSignals,
): Promise<unknown> {
  const own: Signal[] = [];
  connection.savepoint.run();
  try {
    const value = await runScript(connection, call, own);
    connection.release.run();
    mergeInto(signals, own);
    return value;
  } catch (error) {
    undoScript(connection, error);
    throw error;
  }
}

/** @throws TransactionLostError when the transaction's other calls are lost with this one */
function undoScript({ raw }: SqliteConnection, cause: unknown): void {
  // A full disk rolls the whole transaction back by itself.
  if (!raw.isTransaction) throw new TransactionLostError(cause);
  try {
    raw.exec('rollback to script; release script');
  } catch (failure) {
    throw new TransactionLostError(failure);
  }
}

function serve(writer: SqliteConnection, reader: SqliteConnection): void {
  async function turn(): Promise<void> {
    const answers = await answerReads(reader);
    if (answers.length > 0) post({ kind: 'answers', answers, signals: [] });
    if (writes.length > 0) post({ kind: 'answers', ...(await commitWrites(writer)) });
    turnPlanned = false;
    if (reads.length + writes.length > 0) plan();
    else if (closing) shut();
  }

  function plan(): void {
    if (turnPlanned) return;
    turnPlanned = true;
    setImmediate(() => void turn());
  }

  const stopWatching = watchForeignCommits(writer.raw, options.path, () =>
    post({ kind: 'answers', answers: [], signals: [{ kind: 'changed' }] }),
  );

  function shut(): void {
    stopWatching();
    reader.raw.close();
    writer.raw.close();
    port.close();
  }

  port.on('message', (message: ToThread) => {
    if ('close' in message) {
      closing = true;
    } else {
      for (const call of message.calls) {
        (findScript(call).kind === 'read' ? reads : writes).push(call);
      }
    }
    plan();
  });
}

try {
  const { writer, reader } = await open();
  serve(writer, reader);
  post({ kind: 'opened' });
} catch (error) {
  post({ kind: 'refused', failure: toFailure(error) });
  port.close();
}
