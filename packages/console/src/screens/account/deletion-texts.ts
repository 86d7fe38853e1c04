import { texts } from '../../app/texts.ts';

export const deletionTexts = texts({
  ko: {
    title: '회원 탈퇴',
    about:
      '신청하면 7일 뒤에 계정이 삭제됩니다. 그 전까지는 계정을 그대로 쓸 수 있고, 이 화면에서 신청을 철회할 수 있습니다.',
    ask: '탈퇴 신청',
    askTitle: '탈퇴를 신청하시겠습니까?',
    account:
      '7일 뒤에 이름, 이메일, 로그인 수단과 모든 세션이 삭제되며 복구할 수 없습니다. 그 전까지는 철회할 수 있습니다.',
    stays: (organization: string) =>
      `조직 ${organization}의 구성원, 키, 연결, 작업은 그대로 남습니다.`,
    closes: (organization: string) =>
      `다른 소유자가 없으므로 조직 ${organization}도 함께 삭제됩니다. 모든 키가 폐기되고, 대기 중인 작업이 취소되며, 연결과 작업 결과, 파일이 삭제됩니다. 청구서와 감사 기록은 보관됩니다.`,
    others: (count: string) =>
      `다른 구성원 ${count}명의 계정도 삭제됩니다. 조직을 남기려면 먼저 구성원 화면에서 소유권을 이전하십시오.`,
    reason: '탈퇴 사유 (선택)',
    pending: (time: string) => `${time}에 계정이 삭제됩니다. 계속 쓰려면 그 전에 철회하십시오.`,
    withdraw: '탈퇴 신청 철회',
    withdrawWhat: '계정이 삭제되지 않으며, 지금처럼 계속 쓸 수 있습니다.',
  },
  en: {
    title: 'Delete account',
    about:
      'Your account is deleted seven days after you request it. Until then you can use it as before, and withdraw the request here.',
    ask: 'Request deletion',
    askTitle: 'Request the deletion of your account?',
    account:
      'In seven days your name, your email address, all ways to sign in and all sessions are deleted. This cannot be undone. Until then you can withdraw the request.',
    stays: (organization: string) =>
      `The members, keys, links and jobs of ${organization} stay as they are.`,
    closes: (organization: string) =>
      `The organization ${organization} is deleted too, because it has no other owner. All keys are revoked, queued jobs are canceled, and links, results and files are deleted. Invoices and the audit log are kept.`,
    others: (count: string) =>
      `The accounts of other members are deleted as well: ${count}. To keep the organization, hand over its ownership first, under People.`,
    reason: 'Reason (optional)',
    pending: (time: string) =>
      `Your account will be deleted at ${time}. To keep it, withdraw the request before then.`,
    withdraw: 'Withdraw the request',
    withdrawWhat: 'Your account is not deleted, and you can use it as before.',
  },
});
