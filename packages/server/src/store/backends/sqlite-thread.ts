import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadOptions } from './sqlite-messages.ts';
import { serveSqlite } from './sqlite-service.ts';

if (parentPort === null) throw new Error('sqlite-thread runs as a worker thread');
// The main thread starts this file with exactly these options.
await serveSqlite(parentPort, workerData as ThreadOptions);
