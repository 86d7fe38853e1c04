/**
 * Why a run is stopped. `canceled` and `deadline` end the job; with `lost` (the lease), `ended` (by
 * a sweep) and `shutdown` another writes its end, and this worker writes nothing more.
 */
export type StopReason = 'canceled' | 'deadline' | 'lost' | 'ended' | 'shutdown';

/** The reason of an aborted run's signal. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the job was stopped: ${reason}`);
    this.reason = reason;
  }
}

/** Does the job still belong to this worker after such a stop? */
export function keepsLease(reason: StopReason): boolean {
  return reason === 'canceled' || reason === 'deadline';
}
