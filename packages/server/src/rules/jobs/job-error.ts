import type { JobError } from '@changgu/contract/schemas';

/** A job's error as its row keeps it: JSON for FAILED and TIMEOUT, otherwise null. */
export function jobErrorOf(json: string | null): JobError | null {
  // Written only at a job's end, as JSON of exactly this shape.
  return json === null ? null : (JSON.parse(json) as JobError);
}
