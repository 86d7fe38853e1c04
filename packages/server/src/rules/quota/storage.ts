import { ServiceError } from '../service-error.ts';

/** What a job occupies besides its params, result and files: its row, timeline and index entries. */
export const JOB_ROW_BYTES = 1_024;

/** What a job stores from its acceptance on. The database counts the same when it inserts the row. */
export function bytesOfJob(params: string): number {
  return JOB_ROW_BYTES + Buffer.byteLength(params);
}

/** The number of jobs of this size that there is room for. */
export function jobsThatFit(stored: number, limit: number, jobBytes: number): number {
  return Math.max(0, Math.floor((limit - stored) / jobBytes));
}

/** 429 with the stored and the allowed size (D166). Storage is not freed soon, so it is not retryable. */
export function storageExceeded(stored: number, limit: number): ServiceError {
  const [used, most] = [inMebibytes(stored), inMebibytes(limit)];
  return new ServiceError('POLICY_STORAGE_EXCEEDED', {
    message: {
      ko: `저장 공간이 가득 찼습니다. 한도 ${most} MiB 중 ${used} MiB를 사용하고 있습니다.`,
      en: `The storage is full: ${used} of ${most} MiB are used.`,
    },
  });
}

function inMebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}
