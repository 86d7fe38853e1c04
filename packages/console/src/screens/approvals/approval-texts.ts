import { texts } from '../../app/texts.ts';

export const approvalTexts = texts({
  ko: {
    approvals: '승인',
    access: '환경 사용 신청',
    applications: '연동사 신청',
    onlyOpen: '처리하지 않은 신청만 표시',
    none: '처리할 신청이 없습니다.',
    organization: '조직',
    environment: '환경',
    reason: '사유',
    company: '회사',
    contact: '연락처',
    useCase: '용도',
    requested: '신청일',
    state: '상태',
    states: { PENDING: '심사 중', SUBMITTED: '심사 중', APPROVED: '승인', REJECTED: '거절' },
    decide: '처리',
    approve: '승인',
    reject: '거절',
    note: '메모',
    approveAccess: (organization: string) =>
      `${organization} 조직의 키로 테스트 환경(real_test)을 사용할 수 있게 됩니다. 기관의 테스트 주소에 실제로 접속합니다.`,
    approveApplication: (company: string) =>
      `${company}에 연동사 키를 발급할 수 있게 됩니다. 재발급 신청이면 이전 키는 폐기됩니다.`,
    rejectWhat: '신청을 거절합니다. 신청한 조직은 다시 신청할 수 있습니다.',
  },
  en: {
    approvals: 'Approvals',
    access: 'Access to environments',
    applications: 'Integrator applications',
    onlyOpen: 'Show only open requests',
    none: 'No request is waiting.',
    organization: 'Organization',
    environment: 'Environment',
    reason: 'Reason',
    company: 'Company',
    contact: 'Contact',
    useCase: 'Use case',
    requested: 'Requested',
    state: 'State',
    states: {
      PENDING: 'Pending',
      SUBMITTED: 'Pending',
      APPROVED: 'Approved',
      REJECTED: 'Rejected',
    },
    decide: 'Decide',
    approve: 'Approve',
    reject: 'Reject',
    note: 'Note',
    approveAccess: (organization: string) =>
      `Keys of ${organization} will be able to use the real-test environment, which contacts test systems of institutions.`,
    approveApplication: (company: string) =>
      `${company} will be able to obtain an integrator key. If this is a reissue, its previous key is revoked.`,
    rejectWhat: 'The request is rejected. The organization may ask again.',
  },
});
