import type { JobState } from '@changgu/contract';
import { texts } from '../app/texts.ts';
import { Badge, type Tone } from './badge.tsx';

export const JOB_STATE_NAMES = texts<Record<JobState, string>>({
  ko: {
    QUEUED: '대기',
    RUNNING: '실행 중',
    SUCCEEDED: '성공',
    FAILED: '실패',
    TIMEOUT: '시간 초과',
    CANCELED: '취소됨',
  },
  en: {
    QUEUED: 'Queued',
    RUNNING: 'Running',
    SUCCEEDED: 'Succeeded',
    FAILED: 'Failed',
    TIMEOUT: 'Timed out',
    CANCELED: 'Canceled',
  },
});

export const JOB_STATE_TONES: Readonly<Record<JobState, Tone>> = {
  QUEUED: 'idle',
  RUNNING: 'busy',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  TIMEOUT: 'warn',
  CANCELED: 'idle',
};

export function JobStateBadge({ state }: { readonly state: JobState }) {
  return <Badge tone={JOB_STATE_TONES[state]}>{JOB_STATE_NAMES()[state]}</Badge>;
}
