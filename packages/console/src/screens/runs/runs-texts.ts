import { texts } from '../../app/texts.ts';

export const runsTexts = texts({
  ko: {
    title: '전체 계좌',
    about: '한 번의 호출로 계좌마다 제출한 작업입니다.',
    caption: '전체 계좌 호출, 최신순',
    empty: '이 환경에서 전체 계좌로 제출한 작업이 아직 없습니다.',
    emptyAdvice: 'changgu all-accounts run 명령이나 SDK의 jobs.allAccounts로 제출합니다.',
    action: '업무',
    key: 'Idempotency-Key',
    submitted: '접수',
    accounts: '계좌',
    progress: '진행',
    done: (done: string, all: string) => `${all}개 중 ${done}개 종료`,
    doneOfFirst: (done: string, first: string) =>
      `계좌가 더 있습니다. 처음 ${first}개만 표시하며 그중 ${done}개가 종료되었습니다.`,
    doneOfAll: (done: string, all: string, first: string) =>
      `${all}개 중 ${done}개 종료. 처음 ${first}개만 표시합니다.`,
    back: '전체 계좌 목록',
    grid: '계좌별 진행',
    removed: '삭제된 계좌',
    nothing: '이 키로 제출한 작업이 없습니다.',
    more: '이전 호출',
    newest: '최신 호출',
  },
  en: {
    title: 'All accounts',
    about: 'Jobs that one call submitted, one for each account.',
    caption: 'Calls for all accounts, newest first',
    empty: 'No call for all accounts has been made in this environment yet.',
    emptyAdvice: 'Make one with changgu all-accounts run, or jobs.allAccounts of the SDK.',
    action: 'Action',
    key: 'Idempotency-Key',
    submitted: 'Submitted',
    accounts: 'Accounts',
    progress: 'Progress',
    done: (done: string, all: string) => `${done} of ${all} ended`,
    doneOfFirst: (done: string, first: string) =>
      `There are more accounts. Of the first ${first}, which are shown, ${done} ended.`,
    doneOfAll: (done: string, all: string, first: string) =>
      `${done} of ${all} ended. The first ${first} are shown.`,
    back: 'All calls',
    grid: 'Progress by account',
    removed: 'Removed account',
    nothing: 'No job was submitted under this key.',
    more: 'Older calls',
    newest: 'Newest calls',
  },
});
