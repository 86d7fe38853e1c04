import { EventEmitter, once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { findScript, type ScriptName } from '../scripts.ts';
import { fromFailure, storeUnavailable } from '../transactions/failure.ts';
import { type Backend, createSignalHub } from './backend.ts';
import { type Lookups, openLookups } from './sqlite-lookups.ts';
import type { FromThread, ThreadAnswer, ThreadOptions, ToThread } from './sqlite-messages.ts';
import { createOutbox, type Outbox } from './sqlite-outbox.ts';

const FROM_SOURCE = import.meta.url.endsWith('.ts');

/** What a database runs in. It emits what a `Worker` does: `message`, `error`, `exit`. */
export interface StoreThread extends EventEmitter {
  postMessage(message: ToThread): void;
}

/** Makes what a database runs in. */
export type StartThread = (options: ThreadOptions) => StoreThread;

let ownThread: StartThread = startThread;

/** Replaces the thread that is made for each database: for tests. */
export function useThreads(starter: StartThread): void {
  ownThread = starter;
}

interface WaitingCall extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  readonly outbox: Outbox;
}

/** The embedded database: a single thread owns it, so that no fsync ever blocks the event loop of a server. */
export async function openSqlite(
  options: ThreadOptions,
  start: StartThread = ownThread,
): Promise<Backend> {
  const worker = start(options);
  await opened(worker);

  const hub = createSignalHub();
  const calls = createThreadCalls(send);
  const lookups = await openLookupsOf(worker, options.path);
  let closing = false;
  let down: Error | undefined;
  const fatal = Promise.withResolvers<Error>();

  worker.on('message', (message: FromThread) => {
    if (message.kind !== 'answers') return;
    for (const answer of message.answers) calls.settle(answer);
    hub.deliver(message.signals);
  });
  worker.on('error', (error) => {
    down = error;
  });
  worker.on('exit', () => {
    if (!closing) fatal.resolve(down ?? new Error('the thread of the database ended'));
    down ??= new Error('the store is closed');
    calls.rejectAll(storeUnavailable(down));
  });

  function send(message: ToThread): void {
    worker.postMessage(message);
  }

  return {
    onSignal: hub.onSignal,
    onFatal: (listener) => void fatal.promise.then(listener),
    call(name: ScriptName, input: unknown): Promise<unknown> {
      if (down) return Promise.reject(storeUnavailable(down));
      const script = findScript(name);
      if (!script.lookup) return calls.add(name, script.kind, input);
      return lookups.find(script.lookup, input, () => calls.add(name, 'read', input));
    },
    recallClaims(pool): void {
      if (!down) send({ recall: pool, upTo: calls.lastId() });
    },
    collectGarbage(): void {
      if (!down) send({ collectGarbage: true });
    },
    async close(): Promise<void> {
      if (down) return;
      const exit = once(worker, 'exit');
      calls.close();
      lookups.close();
      closing = true;
      down = new Error('the store is closed');
      send({ close: true });
      await exit;
    },
  };
}

/** Without them the thread ends too: no one would hold it, and it would hold the database. */
async function openLookupsOf(worker: StoreThread, path: string): Promise<Lookups> {
  try {
    return openLookups(path);
  } catch (failure) {
    const exit = once(worker, 'exit');
    worker.postMessage({ close: true });
    await exit;
    throw failure;
  }
}

/** Calls to the thread, each waiting for its answer. */
function createThreadCalls(send: (message: ToThread) => void) {
  const reads = createOutbox((calls) => send({ calls }), { oneAtATime: true });
  const writes = createOutbox((calls) => send({ calls }), { oneAtATime: false });
  const waiting = new Map<number, WaitingCall>();
  let lastId = 0;
  return {
    lastId: () => lastId,
    add({ group, script }: ScriptName, kind: 'read' | 'write', input: unknown): Promise<unknown> {
      lastId += 1;
      const outbox = kind === 'read' ? reads : writes;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(lastId, { resolve, reject, outbox });
      outbox.add({ id: lastId, group, script, input });
      return promise;
    },
    settle(answer: ThreadAnswer): void {
      const call = waiting.get(answer.id);
      waiting.delete(answer.id);
      call?.outbox.answered(answer.id);
      if (answer.ok) call?.resolve(answer.value);
      else call?.reject(fromFailure(answer.failure));
    },
    rejectAll(error: Error): void {
      for (const call of waiting.values()) call.reject(error);
      waiting.clear();
    },
    close(): void {
      reads.close();
      writes.close();
    },
  };
}

/** A thread does not share the compiled code of its process unless its environment says where that is. */
function environment(): NodeJS.ProcessEnv {
  const directory = getCompileCacheDir();
  // What Node names is a directory for its version, which it makes in the given one.
  return directory ? { ...process.env, NODE_COMPILE_CACHE: dirname(directory) } : process.env;
}

function startThread(options: ThreadOptions): Worker {
  // Literal URLs, so that bundlers see them; a test runner does not pass its conditions on.
  return FROM_SOURCE
    ? new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
        workerData: options,
        name: 'changgu-store',
        execArgv: ['--conditions=@changgu/source'],
      })
    : new Worker(new URL('./sqlite-thread.js', import.meta.url), {
        workerData: options,
        name: 'changgu-store',
        env: environment(),
      });
}

/**
 * The database in the thread of the caller, which then waits for the disk. A command starts sooner so, and has no one
 * else to answer.
 */
export function startInThisThread(options: ThreadOptions): StoreThread {
  const { port1: near, port2: port } = new MessageChannel();
  void import('./sqlite-service.ts').then(({ serveSqlite }) => serveSqlite(port, options));
  const thread = threadBehind(near);
  near.once('close', () => thread.emit('exit'));
  return thread;
}

/** A database that is served at the other end of a port. */
export function threadBehind(port: MessagePort): StoreThread {
  const thread = Object.assign(new EventEmitter(), {
    postMessage: (message: ToThread) => port.postMessage(message),
  });
  port.on('message', (message: FromThread) => thread.emit('message', message));
  return thread;
}

async function opened(worker: StoreThread): Promise<void> {
  const first: FromThread[] = await once(worker, 'message');
  if (first[0]?.kind === 'refused') throw fromFailure(first[0].failure);
}
