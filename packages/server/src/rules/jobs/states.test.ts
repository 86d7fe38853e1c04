import { isEndState, JOB_STATES, type JobState } from '@changgu/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBecome, TRANSITIONS } from './states.ts';

const state = fc.constantFrom(...JOB_STATES);

describe('job states', () => {
  it('end states and no others are final (D01)', () => {
    for (const from of JOB_STATES) {
      expect(TRANSITIONS[from].length === 0).toBe(isEndState(from));
    }
  });

  it('every walk is short, never revisits a state and passes RUNNING before success or failure (D01)', () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 30 }), (wishes) => {
        const walk: JobState[] = ['QUEUED'];
        for (const wish of wishes) {
          if (mayBecome(walk.at(-1) ?? 'QUEUED', wish)) walk.push(wish);
        }
        expect(new Set(walk).size).toBe(walk.length);
        expect(walk.length).toBeLessThanOrEqual(3);
        const needsRun = walk.includes('SUCCEEDED') || walk.includes('FAILED');
        expect(!needsRun || walk.includes('RUNNING')).toBe(true);
      }),
    );
  });
});
