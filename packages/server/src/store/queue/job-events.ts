import type { Insertable } from 'kysely';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

export type NewJobEvent = Insertable<Database['job_events']>;

/** `job_events.duration_ms` is a 32-bit column; a test clock can jump further. */
const MAX_MS = 2 ** 31 - 1;

/** Adds to the timelines of jobs. */
export async function addEvents(tx: Transaction, events: readonly NewJobEvent[]): Promise<void> {
  if (events.length > 0) await tx.db.insertInto('job_events').values(events).execute();
}

/** Whole milliseconds between two times, within the column's range; null when it never began. */
export function durationMs(from: number | null, to: number): number | null {
  return from === null ? null : Math.round(Math.min(Math.max(0, to - from), MAX_MS));
}
