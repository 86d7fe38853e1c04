import { isEndState, type JobState } from '@changgu/contract';

/** The number of jobs ahead that are counted at most; the progress shown does not fall below 10. */
export const COUNTED_AHEAD = 15;
const QUEUED_MAX = 25;
const RUNNING_MIN = 30;
const RUNNING_MAX = 90;

const WAITING_FOR_LANE = '앞선 작업이 끝나기를 기다리고 있습니다';
export const WAITING_FOR_INSTITUTION = '기관의 응답이 불안정하여 잠시 기다리고 있습니다';
const WAITING_FOR_SLOT = '작업 순서를 기다리고 있습니다';

export interface ProgressFacts {
  readonly status: JobState;
  /** The progress that the running connector reached. */
  readonly progress: number;
  readonly progressMessage: string | null;
  /** Unfinished jobs ahead of it in its lane, counted up to COUNTED_AHEAD. */
  readonly jobsAhead: number;
  /** 1 while its institution's circuit breaker is open. */
  readonly heldBack: number;
}

/** 10–25 while queued, 30–90 while running, 100 at the end. */
export function shownProgress({ status, progress, jobsAhead }: ProgressFacts): number {
  if (isEndState(status)) return 100;
  if (status === 'QUEUED') return QUEUED_MAX - Math.min(COUNTED_AHEAD, jobsAhead);
  return Math.min(RUNNING_MAX, Math.max(RUNNING_MIN, progress));
}

/** One line of Korean describing the current step; null at the end. */
export function shownMessage(facts: ProgressFacts): string | null {
  const { status, progressMessage, jobsAhead, heldBack } = facts;
  if (isEndState(status)) return null;
  if (progressMessage !== null || status === 'RUNNING') return progressMessage;
  if (heldBack > 0) return WAITING_FOR_INSTITUTION;
  return jobsAhead > 0 ? WAITING_FOR_LANE : WAITING_FOR_SLOT;
}

/** The progress of a job that was just claimed. */
export const CLAIMED_PROGRESS = 30;
export const CLAIMED_TEXT = '작업을 시작하고 있습니다';

const RUNNING_SPAN = 60;

/** 30 to 90 while running. Writers never lower a value that was already shown. */
export function runningProgress(step: number, steps: number): number {
  if (!(steps > 0)) return CLAIMED_PROGRESS;
  const done = Math.min(1, Math.max(0, step / steps));
  return CLAIMED_PROGRESS + Math.round(RUNNING_SPAN * done);
}
