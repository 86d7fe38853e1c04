/** What a login in the browser says. */
export const webLoginKo = {
  inBrowser: '브라우저에서 승인하십시오. 열리지 않으면 이 주소를 여십시오.',
  onAnotherMachine: (address: string) =>
    `아무 브라우저에서 ${address} 을(를) 열고 이 코드를 입력하십시오.`,
  backToTerminal: '터미널로 돌아가십시오. 이 창은 닫아도 됩니다.',
  noOAuth: (url: string) =>
    `이 서버는 브라우저 로그인(OAuth)을 지원하지 않습니다: ${url}. 운영자가 CHANGGU_OAUTH=on으로 켤 수 있습니다.`,
  otherAddress: (given: string, own: string) =>
    `서버가 알리는 주소는 ${given}이(가) 아니라 ${own}입니다. 그 주소를 --base-url로 지정하십시오.`,
  denied: '요청이 거부되었습니다. 저장하지 않았습니다.',
  expired: '승인을 기다리는 시간이 지났습니다. 저장하지 않았습니다.',
  failed: (why: string) => `서버에서 토큰을 받지 못했습니다: ${why}`,
  ended: '브라우저 로그인이 끝났습니다. 만료되었거나 조직에서 취소했습니다.',
  keyNeeded:
    'MCP 브리지는 클라이언트 키로 실행합니다. 클라이언트 ID와 시크릿으로 로그인하거나, 에이전트에 서버의 /mcp 주소를 바로 추가하십시오.',
  notRevoked: (profile: string) =>
    `서버에서 로그인을 취소하지 못했습니다: ${profile}. 콘솔의 키 화면에서 취소하십시오.`,
};
