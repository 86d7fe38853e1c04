import { texts } from '../../app/texts.ts';

export const grantsTexts = texts({
  ko: {
    title: '승인한 프로그램',
    about: '구성원이 OAuth로 승인한 프로그램입니다. client_secret 없이 조직의 이름으로 호출합니다.',
    none: '승인한 프로그램이 없습니다.',
    program: '프로그램',
    device: '브라우저가 없는 기기',
    scopes: '권한 범위',
    environments: '환경',
    lastUsed: '마지막 사용',
    expires: '만료',
    revoke: '승인 취소',
    revokeTitle: '이 프로그램의 승인을 취소하시겠습니까?',
    revokeWhat: (name: string) =>
      `${name}의 토큰이 모두 바로 무효가 됩니다. 다시 사용하려면 새로 승인해야 합니다.`,
    agents: '에이전트 연결',
    agentsAbout: '키는 키체인에 저장되며 설정 파일에는 비밀값을 적지 않습니다.',
    commands: '실행할 명령',
    orSettings: '설정을 직접 적으려면 마지막 명령 대신 다음 파일에 적으십시오.',
    host: '프로그램',
  },
  en: {
    title: 'Approved programs',
    about:
      'Programs that members approved by OAuth. They call in the name of the organization without a client_secret.',
    none: 'No program has been approved.',
    program: 'Program',
    device: 'A device without a browser',
    scopes: 'Scopes',
    environments: 'Environments',
    lastUsed: 'Last used',
    expires: 'Expires',
    revoke: 'Revoke',
    revokeTitle: 'Revoke the approval of this program?',
    revokeWhat: (name: string) =>
      `All tokens of ${name} become invalid at once. To use it again, approve it again.`,
    agents: 'Connect an agent',
    agentsAbout: 'The key stays in the keychain; no secret is written to a configuration file.',
    commands: 'Commands to run',
    orSettings: 'To edit the configuration yourself, skip the last command and add this to',
    host: 'Program',
  },
});
