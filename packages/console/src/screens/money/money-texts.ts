import type { Invoice, SubscriptionRecord } from '@changgu/contract';
import type { Language } from '../../app/preferences.ts';
import { texts } from '../../app/texts.ts';

const INVOICE_STATES: Readonly<Record<Language, Readonly<Record<Invoice['status'], string>>>> = {
  ko: {
    DRAFT: '작성 중',
    OPEN: '청구됨',
    PAID: '납부 완료',
    VOID: '무효',
    UNCOLLECTIBLE: '회수 불가',
    REFUNDED: '환불됨',
    PARTIALLY_REFUNDED: '일부 환불',
  },
  en: {
    DRAFT: 'Draft',
    OPEN: 'Open',
    PAID: 'Paid',
    VOID: 'Void',
    UNCOLLECTIBLE: 'Uncollectible',
    REFUNDED: 'Refunded',
    PARTIALLY_REFUNDED: 'Partly refunded',
  },
};

const SUBSCRIPTIONS: Readonly<
  Record<Language, Readonly<Record<SubscriptionRecord['status'], string>>>
> = {
  ko: { ACTIVE: '사용 중', PAUSED: '일시 중지', CANCELED: '해지됨', EXPIRED: '만료됨' },
  en: { ACTIVE: 'Active', PAUSED: 'Paused', CANCELED: 'Canceled', EXPIRED: 'Expired' },
};

export const moneyTexts = texts({
  ko: {
    title: '요금',
    plan: '요금제',
    tier: '등급',
    tiers: { FREE: '무료', PAID: '유료' },
    subscription: '구독 상태',
    subscriptions: SUBSCRIPTIONS.ko,
    period: '이용 기간',
    payment: '결제 수단',
    paymentAbout:
      '카드는 결제 대행사의 화면에서 등록합니다. 등록 절차는 POST /v1/billing/auth-sessions로 시작합니다.',
    usage: '일별 사용량',
    usageAbout: '최근 30일의 토큰 사용량입니다. 실행되지 않아 돌려받은 토큰은 제외했습니다.',
    usagePart: '작업이 많아 최근 작업만 집계했습니다.',
    noUsage: '최근 30일 동안 제출한 작업이 없습니다.',
    day: '날짜',
    action: '업무',
    jobs: '작업',
    tokens: '토큰',
    others: '그 밖의 업무',
    plans: '요금제 목록',
    monthly: '월 요금',
    dailyTokens: '하루 토큰',
    monthlyTokens: '월 토큰',
    unlimited: '제한 없음',
    invoices: '청구서',
    noInvoices: '청구서가 없습니다.',
    number: '번호',
    state: '상태',
    states: INVOICE_STATES.ko,
    issued: '발행일',
    due: '납부 기한',
    total: '합계',
  },
  en: {
    title: 'Billing',
    plan: 'Plan',
    tier: 'Tier',
    tiers: { FREE: 'Free', PAID: 'Paid' },
    subscription: 'Subscription',
    subscriptions: SUBSCRIPTIONS.en,
    period: 'Period',
    payment: 'Means of payment',
    paymentAbout:
      'A card is entered on the page of the payment provider; POST /v1/billing/auth-sessions begins its registration.',
    usage: 'Usage by day',
    usageAbout: 'Tokens of the last 30 days, without those given back for jobs that never ran.',
    usagePart: 'There are many jobs: only the latest are counted.',
    noUsage: 'No job has been submitted in the last 30 days.',
    day: 'Day',
    action: 'Action',
    jobs: 'Jobs',
    tokens: 'Tokens',
    others: 'Other actions',
    plans: 'Plans',
    monthly: 'Per month',
    dailyTokens: 'Tokens a day',
    monthlyTokens: 'Tokens a month',
    unlimited: 'No limit',
    invoices: 'Invoices',
    noInvoices: 'There are no invoices.',
    number: 'Number',
    state: 'State',
    states: INVOICE_STATES.en,
    issued: 'Issued',
    due: 'Due',
    total: 'Total',
  },
});
