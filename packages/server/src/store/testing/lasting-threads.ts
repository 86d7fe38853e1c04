import { pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { inject } from 'vitest';
import { type StoreThread, threadBehind } from '../backends/sqlite.ts';
import type { ThreadOptions } from '../backends/sqlite-messages.ts';
import type { NextDatabase } from './lasting-thread.ts';

/** Threads whose database is closed. */
const idle = new Set<Worker>();

/**
 * Gives each database a thread of its own, as always, yet one that served another before: tests open hundreds, and
 * a new thread takes more work than everything else about opening one.
 */
export function startLastingThread(options: ThreadOptions): StoreThread {
  const worker = idleWorker();
  const { port1: near, port2: port } = new MessageChannel();
  const thread = threadBehind(near);
  const fail = (error: Error) => thread.emit('error', error);
  const end = () => thread.emit('exit');
  worker.once('error', fail).once('exit', end).ref();
  near.once('close', () => {
    worker.off('error', fail).off('exit', end).unref();
    if (worker.threadId >= 0) idle.add(worker);
    end();
  });
  const next: NextDatabase = { port, options };
  worker.postMessage(next, [port]);
  return thread;
}

function idleWorker(): Worker {
  const [worker] = idle;
  if (worker === undefined) {
    const made = new Worker(pathToFileURL(inject('storeThread')));
    return made.once('exit', () => idle.delete(made));
  }
  idle.delete(worker);
  return worker;
}
