import { type AllAccountsRun, isEndState, JOB_STATES } from '@changgu/contract';

export function endedOf(counts: AllAccountsRun['counts']): number {
  return JOB_STATES.filter(isEndState).reduce((sum, state) => sum + counts[state], 0);
}
