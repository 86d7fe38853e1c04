import type { AccountLinkRecord } from '@changgu/contract';
import { texts } from '../../app/texts.ts';
import type { Tone } from '../../components/badge.tsx';

export const linkTexts = texts({
  ko: {
    title: '연결',
    about: '기관에 등록한 인증 정보입니다. 값은 이 브라우저에서 암호화되어 서버로 전송됩니다.',
    register: '연결 등록',
    caption: '연결 목록, 최신순',
    empty: '등록한 연결이 없습니다.',
    emptyAdvice: '기관의 인증서나 아이디를 등록하면 작업을 실행할 수 있습니다.',
    name: '이름',
    institution: '기관',
    type: '인증 방식',
    types: { certificate: '인증서', id_password: '아이디와 비밀번호', consent: '동의' },
    state: '상태',
    states: { ACTIVE: '사용 중', SUSPENDED: '정지', UNLINKED: '해제됨' },
    purpose: '용도',
    purposes: { real: '실제 계정', test: '테스트용 계정' },
    primary: '대표',
    expires: '만료일',
    registered: '등록일',
    showUnlinked: '해제된 연결도 표시',
  },
  en: {
    title: 'Links',
    about:
      'Credentials registered at institutions. Values are encrypted in this browser before they are sent.',
    register: 'Register a link',
    caption: 'Links, newest first',
    empty: 'No link has been registered.',
    emptyAdvice: 'Register a certificate or a login of an institution to run jobs there.',
    name: 'Name',
    institution: 'Institution',
    type: 'Authentication',
    types: { certificate: 'Certificate', id_password: 'ID and password', consent: 'Consent' },
    state: 'State',
    states: { ACTIVE: 'Active', SUSPENDED: 'Suspended', UNLINKED: 'Unlinked' },
    purpose: 'Purpose',
    purposes: { real: 'Real account', test: 'Test account' },
    primary: 'Primary',
    expires: 'Expires',
    registered: 'Registered',
    showUnlinked: 'Show unlinked links',
  },
});

export const LINK_TONES: Readonly<Record<AccountLinkRecord['status'], Tone>> = {
  ACTIVE: 'good',
  SUSPENDED: 'warn',
  UNLINKED: 'idle',
};
