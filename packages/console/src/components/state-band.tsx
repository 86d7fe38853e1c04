import { JOB_STATES, type JobState } from '@changgu/contract';
import { count } from '../app/format.ts';
import { JOB_STATE_NAMES, JOB_STATE_TONES } from './state-names.tsx';

/** The number in each state, as parts of one band; screen readers read the numbers. */
export function StateBand({ counts }: { readonly counts: Readonly<Record<JobState, number>> }) {
  const names = JOB_STATE_NAMES();
  const there = JOB_STATES.filter((state) => counts[state] > 0);
  const text = there.map((state) => `${names[state]} ${count(counts[state])}`).join(', ');
  return (
    <div class="band" role="img" aria-label={text} title={text}>
      {there.map((state) => (
        <span
          key={state}
          class={`${JOB_STATE_TONES[state]} ${state.toLowerCase()}`}
          style={{ flexGrow: counts[state] }}
        />
      ))}
    </div>
  );
}
