import { texts } from '../../app/texts.ts';

export const jobsTexts = texts({
  ko: {
    title: '작업',
    caption: '작업 목록, 최신순',
    state: '상태',
    institution: '기관',
    action: '업무',
    link: '연결 ID',
    from: '시작일',
    until: '종료일',
    jobId: '작업 ID',
    open: '열기',
    clear: '필터 지우기',
    job: '작업',
    submitted: '제출',
    took: '소요',
    progress: '진행',
    error: '오류',
    choose: '선택',
    select: (id: string) => `${id} 선택`,
    cancelSelected: (n: number) => `선택한 ${n}건 취소`,
    cancelTitle: '작업을 취소하시겠습니까?',
    cancelWhat: (n: number) => `다음 작업 ${n}건을 취소합니다.`,
    cancelThen: [
      '대기 중인 작업은 바로 취소되며 기관에 접속하지 않습니다.',
      '실행 중인 작업은 안전한 지점에서 멈춥니다. 발급이나 제출처럼 되돌릴 수 없는 단계를 지난 작업은 취소되지 않습니다.',
      '취소한 작업은 다시 시작할 수 없으며 새로 제출해야 합니다.',
    ],
    cancelDo: '작업 취소',
    canceled: (done: number, failed: number) =>
      failed === 0
        ? `${done}건의 취소를 요청했습니다.`
        : `${done}건의 취소를 요청했고, ${failed}건은 취소할 수 없었습니다.`,
    empty: '조건에 맞는 작업이 없습니다.',
    emptyAll: '이 환경에서 제출한 작업이 아직 없습니다.',
    tryIt: '카탈로그에서 시험해 보기',
    goesOn: '이 구간에는 조건에 맞는 작업이 없습니다. 더 오래된 작업을 계속 찾을 수 있습니다.',
  },
  en: {
    title: 'Jobs',
    caption: 'Jobs, newest first',
    state: 'State',
    institution: 'Institution',
    action: 'Action',
    link: 'Link ID',
    from: 'From',
    until: 'To',
    jobId: 'Job ID',
    open: 'Open',
    clear: 'Clear filters',
    job: 'Job',
    submitted: 'Submitted',
    took: 'Took',
    progress: 'Progress',
    error: 'Error',
    choose: 'Select',
    select: (id: string) => `Select ${id}`,
    cancelSelected: (n: number) => `Cancel ${n} selected`,
    cancelTitle: 'Cancel these jobs?',
    cancelWhat: (n: number) =>
      n === 1 ? 'This job will be canceled:' : `These ${n} jobs will be canceled:`,
    cancelThen: [
      'Queued jobs are canceled at once and never reach the institution.',
      'Running jobs stop at the next safe point. A job that has passed its point of no return, such as filing or issuing, is not canceled.',
      'A canceled job cannot be resumed; submit a new one instead.',
    ],
    cancelDo: 'Cancel jobs',
    canceled: (done: number, failed: number) =>
      failed === 0
        ? `Cancellation requested: ${done}.`
        : `Cancellation requested: ${done}. Could not be canceled: ${failed}.`,
    empty: 'No job matches these filters.',
    emptyAll: 'No job has been submitted in this environment yet.',
    tryIt: 'Try one from the catalog',
    goesOn: 'Nothing in this part of the list matches. Older jobs can still be searched.',
  },
});
