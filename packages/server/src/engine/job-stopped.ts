/**
 * Why a run is stopped. `canceled` and `deadline` end the job. With `lost` (the lease), `ended` (by a sweep)
 * and `shutdown`, another process writes the end and this worker writes nothing more.
 */
export type StopReason = 'canceled' | 'deadline' | 'lost' | 'ended' | 'shutdown';

/** The abort reason of a stopped run's signal. */
export class JobStopped extends Error {
  override readonly name = 'JobStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the job was stopped: ${reason}`);
    this.reason = reason;
  }
}

/** Whether the job still belongs to this worker after such a stop. */
export function keepsLease(reason: StopReason): boolean {
  return reason === 'canceled' || reason === 'deadline';
}
