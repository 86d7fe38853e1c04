/** What `doctor` says. */
export const doctorKo = {
  ok: '정상',
  bad: '문제',
  checks: {
    node: 'Node 버전',
    config: '설정 파일',
    permissions: '인증 정보 파일 권한',
    keychain: '시스템 키체인',
    service: '서버 연결',
    clock: '시계',
    credentials: '인증 정보',
  },
  keychainUnused: (why: string) => `없음. 인증 정보는 파일에 저장합니다(${why})`,
  keychainForgets: '저장한 값을 다시 읽지 못했습니다.',
  tooOpen: (mode: string) => `다른 사용자가 읽을 수 있습니다(${mode})`,
  skew: (seconds: number) => `서버와 ${seconds}초 차이`,
  missing: '없음',
};
