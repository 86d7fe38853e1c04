import type { SubscriptionRecord } from '@changgu/contract';
import { texts } from '../../app/texts.ts';

type Status = SubscriptionRecord['status'];

export const organizationsTexts = texts({
  ko: {
    title: '조직',
    caption: '조직 목록, 최신순',
    none: '조건에 맞는 조직이 없습니다.',
    searchForMore: (n: number) => `${n}개까지만 표시합니다. 이름으로 찾으십시오.`,
    name: '이름',
    number: '번호',
    states: { ACTIVE: '사용 중', DISABLED: '사용 중지', DELETED: '삭제됨' },
    members: '구성원',
    plan: '요금제',
    subscription: '구독',
    subscriptions: {
      ACTIVE: '사용 중',
      PAUSED: '일시 중지',
      CANCELED: '해지됨',
      EXPIRED: '만료됨',
    },
    until: '이용 기한',
    created: '가입일',
    audit: '감사 기록',
    changePlan: '요금제 변경',
    subscribeTitle: (name: string) => `${name}의 요금제`,
    acts: { ACTIVE: '사용', PAUSED: '일시 중지', CANCELED: '해지' },
    save: '변경',
    consequences: (status: Status, isOpen: boolean, isSame: boolean) => {
      if (status === 'CANCELED') {
        return '구독을 해지합니다. 조직은 곧바로 무료 요금제로 바뀌고 운영 환경을 사용할 수 없습니다.';
      }
      if (status === 'PAUSED') {
        return '구독을 일시 중지합니다. 다시 사용으로 바꿀 때까지 운영 환경의 새 작업이 거부됩니다.';
      }
      if (isSame) return '일시 중지된 구독은 다시 시작하고, 사용 중인 구독은 한 달 더 연장합니다.';
      return isOpen
        ? '지금 구독을 끝내고 선택한 요금제로 새 구독을 시작합니다.'
        : '선택한 요금제로 한 달 구독을 시작합니다. 유료 요금제이면 운영 환경을 사용할 수 있습니다.';
    },
  },
  en: {
    title: 'Organizations',
    caption: 'Organizations, newest first',
    none: 'No organization matches.',
    searchForMore: (n: number) => `Only ${n} are shown: search by name.`,
    name: 'Name',
    number: 'Number',
    states: { ACTIVE: 'Active', DISABLED: 'Disabled', DELETED: 'Deleted' },
    members: 'Members',
    plan: 'Plan',
    subscription: 'Subscription',
    subscriptions: { ACTIVE: 'Active', PAUSED: 'Paused', CANCELED: 'Canceled', EXPIRED: 'Expired' },
    until: 'Until',
    created: 'Joined',
    audit: 'Audit',
    changePlan: 'Change plan',
    subscribeTitle: (name: string) => `Plan of ${name}`,
    acts: { ACTIVE: 'Active', PAUSED: 'Paused', CANCELED: 'Canceled' },
    save: 'Change',
    consequences: (status: Status, isOpen: boolean, isSame: boolean) => {
      if (status === 'CANCELED') {
        return 'The subscription ends. The organization falls back to the free plan at once and can no longer use production.';
      }
      if (status === 'PAUSED') {
        return 'The subscription pauses: new production jobs are refused until it is active again.';
      }
      if (isSame) {
        return 'A paused subscription resumes; an active one is renewed for one more month.';
      }
      return isOpen
        ? 'The current subscription ends, and a new one begins on the chosen plan.'
        : 'A subscription of one month begins on the chosen plan. A paid plan opens production.';
    },
  },
});
