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
