import { texts } from '../../app/texts.ts';

export const keysTexts = texts({
  ko: {
    title: '키',
    about: '프로그램이 서비스를 호출할 때 사용하는 client_id와 client_secret입니다.',
    caption: '키 목록, 최신순',
    issue: '키 발급',
    empty: '발급한 키가 없습니다.',
    label: '이름',
    labelHint: '이 키를 사용할 프로그램이나 사람을 알 수 있게 적으십시오.',
    environments: '사용할 환경',
    desktopAgent: '데스크톱 에이전트(연결 등록 가능)',
    rights: '권한',
    readOnly: '조회만 허용',
    readOnlyHint: '발급, 제출처럼 되돌릴 수 없는 업무와 파일 삭제, 연결 변경을 거부합니다.',
    tools: 'AI 에이전트에 되돌릴 수 없는 업무 허용',
    actions: '허용할 업무',
    actionsHint:
      '한 줄에 하나씩. bank_b.*는 bank_b.로 시작하는 모든 업무를 뜻합니다. 비우면 모두 허용합니다.',
    allActions: '모든 업무',
    state: '상태',
    states: { ACTIVE: '사용 중', EXPIRED: '만료됨', REVOKED: '폐기됨' },
    lastUse: '마지막 사용',
    never: '없음',
    expires: '만료일',
    expiresHint: '비우면 만료되지 않습니다.',
    no: '없음',
    webhooks: '웹훅 관리',
    addresses: '허용할 IP 주소',
    addressesHint:
      '한 줄에 하나씩. 203.0.113.0/24처럼 대역도 지정할 수 있습니다. 비우면 모두 허용합니다.',
    rotate: '시크릿 교체',
    rotateTitle: '이 키의 시크릿을 교체하시겠습니까?',
    rotateWhat: (label: string) =>
      `“${label}” 키에 새 client_secret을 발급합니다. 이전 시크릿은 아래에서 선택한 시간이 지나면 거부됩니다.`,
    overlap: '이전 시크릿을 함께 허용할 시간',
    hours: (n: number) => {
      if (n === 0) return '즉시 거부';
      return n > 24 ? `${n / 24}일` : `${n}시간`;
    },
    created: '발급일',
    withRevoked: '폐기된 키도 표시',
    revoke: '폐기',
    revokeTitle: '이 키를 폐기하시겠습니까?',
    revokeWhat: (label: string) =>
      `“${label}” 키를 사용하는 모든 프로그램의 호출이 즉시 거부됩니다. 폐기한 키는 되살릴 수 없으며 새 키를 발급해야 합니다.`,
    secretTitle: '키를 발급했습니다',
    secretOnce: 'client_secret은 지금 한 번만 표시됩니다. 창을 닫기 전에 안전한 곳에 보관하십시오.',
    done: '보관했습니다',
  },
  en: {
    title: 'Keys',
    about: 'Client ids and secrets by which programs call the service.',
    caption: 'Keys, newest first',
    issue: 'Issue a key',
    empty: 'No key has been issued.',
    label: 'Name',
    labelHint: 'Say which program or person will use it.',
    environments: 'Environments',
    desktopAgent: 'A desktop agent (may register links)',
    rights: 'Rights',
    readOnly: 'Read only',
    readOnlyHint:
      'Refuses irreversible actions, such as filing or issuing, deleting files and changing links.',
    tools: 'Offer irreversible actions to AI agents',
    actions: 'Allowed actions',
    actionsHint: 'One per line; bank_b.* stands for every action under bank_b. Empty allows all.',
    allActions: 'All actions',
    state: 'State',
    states: { ACTIVE: 'Active', EXPIRED: 'Expired', REVOKED: 'Revoked' },
    lastUse: 'Last use',
    never: 'Never',
    expires: 'Expires',
    expiresHint: 'Left empty, the key never expires.',
    no: 'Never',
    webhooks: 'Manage webhooks',
    addresses: 'Allowed IP addresses',
    addressesHint: 'One per line; ranges such as 203.0.113.0/24 too. Empty allows all.',
    rotate: 'Rotate the secret',
    rotateTitle: 'Rotate the secret of this key?',
    rotateWhat: (label: string) =>
      `“${label}” gets a new client_secret. Its old secret is refused after the time chosen below.`,
    overlap: 'How long the old secret still works',
    hours: (n: number) => {
      if (n === 0) return 'Not at all';
      if (n > 24) return `${n / 24} days`;
      return n === 1 ? '1 hour' : `${n} hours`;
    },
    created: 'Issued',
    withRevoked: 'Show revoked keys',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this key?',
    revokeWhat: (label: string) =>
      `Calls of every program that uses “${label}” are refused at once. A revoked key cannot be restored; issue a new one instead.`,
    secretTitle: 'The key has been issued',
    secretOnce:
      'The client_secret is shown only this once. Store it in a safe place before you close this window.',
    done: 'I have stored it',
  },
});
