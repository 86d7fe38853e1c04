import type { AllAccountsLine } from '@changgu/contract/schemas';
import type { Language } from '../../requests/language.ts';

export const STATUS_WORDS: Readonly<
  Record<Language, Readonly<Record<AllAccountsLine['status'], string>>>
> = {
  ko: {
    SUCCEEDED: '성공',
    FAILED: '실패',
    TIMEOUT: '시간 초과',
    CANCELED: '취소',
    RUNNING: '실행 중',
    QUEUED: '대기 중',
    NOT_SUBMITTED: '제출되지 않음',
  },
  en: {
    SUCCEEDED: 'succeeded',
    FAILED: 'failed',
    TIMEOUT: 'timed out',
    CANCELED: 'canceled',
    RUNNING: 'running',
    QUEUED: 'queued',
    NOT_SUBMITTED: 'not submitted',
  },
};

/** How many accounts have ended, in words. */
export function linesDone(done: number, total: number, language: Language): string {
  return {
    ko: `계좌 ${total}개 중 ${done}개 완료`,
    en: `${done} of ${total} accounts done`,
  }[language];
}

/** One account's end, in words. */
export function lineEnded(
  { masked_account_no: account, status }: Pick<AllAccountsLine, 'masked_account_no' | 'status'>,
  language: Language,
): string {
  return `${account} ${STATUS_WORDS[language][status]}`;
}
