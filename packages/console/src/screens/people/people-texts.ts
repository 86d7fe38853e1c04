import { texts } from '../../app/texts.ts';

export const peopleTexts = texts({
  ko: {
    title: '구성원',
    members: '구성원',
    invitations: '보낸 초대',
    name: '이름',
    email: '이메일',
    role: '역할',
    joined: '합류일',
    you: '나',
    invite: '초대',
    inviteHint: '초대받은 사람은 72시간 안에 한 번 사용할 수 있는 링크를 받습니다.',
    noInvitations: '대기 중인 초대가 없습니다.',
    expires: '만료',
    revoke: '초대 취소',
    revokeWhat: (email: string) => `${email}에게 보낸 초대 링크를 더 이상 사용할 수 없게 됩니다.`,
    linkTitle: '초대 링크',
    linkAbout:
      '이 서버는 이메일을 보내지 않으므로 링크를 직접 전달하십시오. 지금 한 번만 표시됩니다.',
    changeRole: '역할 변경',
    changeWhat: (email: string) => `${email}의 권한이 바로 바뀝니다.`,
    remove: '내보내기',
    removeTitle: '이 구성원을 내보내시겠습니까?',
    removeWhat: (email: string) =>
      `${email}의 계정과 세션, 토큰이 바로 종료됩니다. 조직의 연결, 키, 작업은 그대로 남습니다.`,
    factor: '2단계 인증',
    reset: '2단계 인증 해제',
    resetTitle: '2단계 인증을 해제하시겠습니까?',
    resetWhat: (email: string) =>
      `${email}의 패스키, 인증 앱, 복구 코드가 모두 삭제되고 열린 세션이 바로 종료됩니다. 본인이 요청했는지 먼저 확인하십시오. 다음 로그인은 비밀번호만으로 됩니다.`,
    handOver: '소유권 이전',
    handOverTitle: '조직의 소유권을 이전하시겠습니까?',
    handOverWhat: (email: string) =>
      `${email}이(가) 소유자가 되고, 회원님은 관리자가 됩니다. 되돌리려면 새 소유자가 다시 이전해야 합니다.`,
    done: '확인',
  },
  en: {
    title: 'People',
    members: 'Members',
    invitations: 'Open invitations',
    name: 'Name',
    email: 'Email',
    role: 'Role',
    joined: 'Joined',
    you: 'You',
    invite: 'Invite',
    inviteHint: 'The person gets a link that works once, within 72 hours.',
    noInvitations: 'No invitation is open.',
    expires: 'Expires',
    revoke: 'Revoke invitation',
    revokeWhat: (email: string) => `The link sent to ${email} stops working.`,
    linkTitle: 'Invitation link',
    linkAbout:
      'This server sends no email, so pass the link on yourself. It is shown only this once.',
    changeRole: 'Change role',
    changeWhat: (email: string) => `What ${email} may do changes at once.`,
    remove: 'Remove',
    removeTitle: 'Remove this member?',
    removeWhat: (email: string) =>
      `The account of ${email} is closed at once, with its sessions and tokens. Links, keys and jobs of the organization stay.`,
    factor: 'Second factor',
    reset: 'Reset factors',
    resetTitle: 'Reset the second factors?',
    resetWhat: (email: string) =>
      `All passkeys, apps and recovery codes of ${email} are removed, and every session ends at once. Make sure that the person asked for it: the next sign-in takes the password alone.`,
    handOver: 'Hand over',
    handOverTitle: 'Hand the organization over?',
    handOverWhat: (email: string) =>
      `${email} becomes the owner and you become an administrator. Only the new owner can take it back.`,
    done: 'Done',
  },
});
