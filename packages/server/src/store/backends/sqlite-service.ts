import type { MessagePort } from 'node:worker_threads';
import { collectGarbage } from '../../collect-garbage.ts';
import { findScript } from '../scripts.ts';
import { storeUnavailable, toFailure } from '../transactions/failure.ts';
import type { MergedSignals } from '../transactions/merge-signals.ts';
import type { Signal } from '../transactions/script.ts';
import { createWaitingCalls, type WaitingCalls } from '../waiting-calls.ts';
import { migrate } from './migrate.ts';
import { openSqliteConnection, SQLITE, type SqliteConnection } from './sqlite-connection.ts';
import { watchForeignCommits } from './sqlite-foreign-commits.ts';
import type {
  FromThread,
  ThreadAnswer,
  ThreadCall,
  ThreadOptions,
  ToThread,
} from './sqlite-messages.ts';
import { answer, runScript, runWrites } from './sqlite-writes.ts';

/** One COMMIT is one fsync, so waiting writes share it. */
const GROUP_SCRIPTS = 32;
const GROUP_MS = 5;

interface Connections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
}

/** Opens a database and answers the calls that come through the port, until it is told to close both. */
export async function serveSqlite(port: MessagePort, options: ThreadOptions): Promise<void> {
  const post = (message: FromThread) => port.postMessage(message);
  try {
    serve(port, options.path, await open(options));
    post({ kind: 'opened' });
  } catch (error) {
    post({ kind: 'refused', failure: toFailure(error) });
    port.close();
  }
}

async function open(options: ThreadOptions): Promise<Connections> {
  const writer = openSqliteConnection(options.path, 'writer');
  writer.raw.exec('begin immediate');
  await migrate(writer, SQLITE, options.migrate);
  writer.raw.exec('commit');
  return { writer, reader: openSqliteConnection(options.path, 'reader') };
}

function serve(port: MessagePort, path: string, { writer, reader }: Connections): void {
  const reads: ThreadCall[] = [];
  const writes: ThreadCall[] = [];
  const waiting = createWaitingCalls<ThreadAnswer>();
  let turnPlanned = false;
  let closing = false;
  const post = (message: FromThread) => port.postMessage(message);

  function reply(answers: readonly ThreadAnswer[]): void {
    if (answers.length > 0) post({ kind: 'answers', answers, signals: [] });
  }

  async function turn(): Promise<void> {
    reply(await answerReads(reader, reads.splice(0)));
    if (writes.length > 0)
      post({ kind: 'answers', ...(await commitWrites(writer, writes, waiting)) });
    turnPlanned = false;
    if (reads.length + writes.length > 0) plan();
    else if (closing) shut();
  }

  function plan(): void {
    if (turnPlanned) return;
    turnPlanned = true;
    setImmediate(() => void turn());
  }

  const stopWatching = watchForeignCommits(writer.raw, path, () =>
    post({ kind: 'answers', answers: [], signals: [{ kind: 'changed' }] }),
  );

  function shut(): void {
    reply(waiting.close());
    stopWatching();
    reader.raw.close();
    writer.raw.close();
    port.close();
  }

  port.on('message', (message: ToThread) => {
    if ('collectGarbage' in message) {
      collectGarbage();
      return;
    }
    if ('recall' in message) {
      reply(waiting.recall(message.recall, message.upTo));
      return;
    }
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

async function answerReads(
  connection: SqliteConnection,
  batch: readonly ThreadCall[],
): Promise<ThreadAnswer[]> {
  if (batch.length === 0) return [];
  try {
    const answers: ThreadAnswer[] = [];
    connection.control.begin.run();
    for (const call of batch) {
      answers.push(await answer(call, () => runScript(connection, call, [])));
    }
    connection.control.commit.run();
    return answers;
  } catch (error) {
    return giveUp(connection, batch, error);
  }
}

/** Runs the waiting writes in one transaction; they are answered only after COMMIT. */
async function commitWrites(
  connection: SqliteConnection,
  writes: ThreadCall[],
  waiting: WaitingCalls<ThreadAnswer>,
): Promise<{ answers: ThreadAnswer[]; signals: Signal[] }> {
  const taken: ThreadCall[] = [];
  const answers: ThreadAnswer[] = [];
  const signals: MergedSignals = new Map();
  try {
    connection.control.beginImmediate.run();
    const started = performance.now();
    while (taken.length < GROUP_SCRIPTS && performance.now() - started < GROUP_MS) {
      const next = takeNext(writes, GROUP_SCRIPTS - taken.length);
      if (next.length === 0) break;
      taken.push(...next);
      answers.push(...(await runWrites(connection, next, signals)));
    }
    const due = waiting.due(signals);
    taken.push(...due);
    answers.push(...(await runWrites(connection, due, signals)));
    connection.control.commit.run();
    return { answers: waiting.hold(taken, answers), signals: [...signals.values()] };
  } catch (error) {
    // BEGIN failed: nothing ran, but the calls have waited long enough.
    if (taken.length === 0) taken.push(...writes.splice(0, GROUP_SCRIPTS));
    return { answers: giveUp(connection, taken, error), signals: [] };
  }
}

/** The oldest waiting write, and those behind it that share its savepoint. */
function takeNext(writes: ThreadCall[], limit: number): ThreadCall[] {
  const [first] = writes;
  if (first === undefined) return [];
  const script = findScript(first);
  const other = script.sharesSavepoint
    ? writes.findIndex((call, n) => n === limit || findScript(call) !== script)
    : 1;
  return writes.splice(0, other === -1 ? writes.length : other);
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
