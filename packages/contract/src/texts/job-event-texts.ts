import type { JobTimelineResponse } from '../generated/wire.ts';
import type { Language } from '../language.ts';

type JobEventKind = JobTimelineResponse['events'][number]['kind'];

const TEXTS: Readonly<Record<JobEventKind, { readonly ko: string; readonly en: string }>> = {
  accepted: { ko: '접수', en: 'Accepted' },
  waiting: { ko: '앞선 작업 대기', en: 'Waiting behind other jobs' },
  claimed: { ko: '실행 시작', en: 'Started' },
  step: { ko: '단계', en: 'Step' },
  retry: { ko: '재시도', en: 'Retry' },
  taken_over: { ko: '다른 프로세스가 이어받음', en: 'Taken over by another process' },
  point_of_no_return: { ko: '되돌릴 수 없는 단계 진입', en: 'Point of no return' },
  cancel_requested: { ko: '취소 요청', en: 'Cancellation requested' },
  ended: { ko: '종료', en: 'Ended' },
};

/** What people read for a step of a job's timeline; a kind that this version does not know stays as it is. */
export function jobEventText(kind: string, language: Language): string {
  return isKind(kind) ? TEXTS[kind][language] : kind;
}

function isKind(kind: string): kind is JobEventKind {
  return Object.hasOwn(TEXTS, kind);
}
