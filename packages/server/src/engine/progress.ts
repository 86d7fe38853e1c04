/** What a job shows from the moment it is claimed (D07, D08). */
export const CLAIMED_PROGRESS = 30;
export const CLAIMED_TEXT = '작업을 시작하고 있습니다';

const RUNNING_SPAN = 60;

/** 30 to 90 while running (D07); whoever writes it never goes below what was shown. */
export function runningProgress(step: number, steps: number): number {
  if (!(steps > 0)) return CLAIMED_PROGRESS;
  const done = Math.min(1, Math.max(0, step / steps));
  return CLAIMED_PROGRESS + Math.round(RUNNING_SPAN * done);
}
