import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ThreadOptions } from '../backends/sqlite-messages.ts';
import { serveSqlite } from '../backends/sqlite-service.ts';

/** A database to serve; the thread outlives it. */
export interface NextDatabase {
  readonly port: MessagePort;
  readonly options: ThreadOptions;
}

parentPort?.on('message', ({ port, options }: NextDatabase) => void serveSqlite(port, options));
