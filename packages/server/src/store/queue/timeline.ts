import type { Insertable } from 'kysely';
import type { Database } from '../schema/tables.ts';
import type { Transaction } from '../transactions/script.ts';

/** One step of a job's timeline. What others are told of a job is an event of the table `events`. */
export type TimelineEntry = Insertable<Database['job_events']>;

/** `job_events.duration_ms` is a 32-bit column; a test clock can jump further. */
const MAX_MS = 2 ** 31 - 1;

export async function addToTimeline(
  tx: Transaction,
  entries: readonly TimelineEntry[],
): Promise<void> {
  if (entries.length > 0) await tx.db.insertInto('job_events').values(entries).execute();
}

/** Whole milliseconds between two times, within the column's range; null when it never began. */
export function durationMs(from: number | null, to: number): number | null {
  return from === null ? null : Math.round(Math.min(Math.max(0, to - from), MAX_MS));
}
