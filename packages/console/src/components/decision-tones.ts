import type { Tone } from './badge.tsx';

type Decision = 'PENDING' | 'SUBMITTED' | 'APPROVED' | 'REJECTED';

export const DECISION_TONES: Readonly<Record<Decision, Tone>> = {
  PENDING: 'busy',
  SUBMITTED: 'busy',
  APPROVED: 'good',
  REJECTED: 'bad',
};
