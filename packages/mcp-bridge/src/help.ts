import { terminalLanguage } from '@changgu/contract/language';

/** `changgu-mcp --help`, by language. */
const HELP = {
  ko: `사용법
  changgu-mcp [옵션]                                stdio: 호스트가 실행합니다
  changgu-mcp http [--listen 127.0.0.1:4020] [옵션]  Streamable HTTP: CHANGGU_MCP_TOKEN 또는 CHANGGU_MCP_RESOURCE(OAuth)가 필요합니다
  changgu-mcp install <host> [--yes] [옵션]          호스트 설정을 표시하고 저장합니다

옵션
  --toolsets bank,tax,employment,insurance,other,all
                             도구로 제공할 서비스 그룹 (기본 bank,employment)
  --tools a,b                제공할 도구를 직접 지정합니다
  --read-only                되돌릴 수 없는 서비스를 제외합니다
  --require-elicitation      호스트가 사용자에게 확인을 요청할 수 있을 때만 되돌릴 수 없는 서비스를 실행합니다
  --wait-cap <초>            호출 한 번의 최대 대기 시간 (기본 50)
  --files-dir <폴더>         결과 파일을 저장할 폴더 (기본 ~/changgu-files)
  --secrets <파일>           비밀번호 등 민감한 값의 위치를 지정하는 JSON 파일
  --reveal                   기관이 보낸 문구의 계좌번호와 주민등록번호를 가리지 않습니다
  --profile <이름>           install: 브리지를 시작할 CLI 프로필
  --version, --help

접속 정보는 CHANGGU_BASE_URL, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET, CHANGGU_ENV_SCOPE에서 읽습니다.
\`changgu mcp start\`로 실행하면 \`changgu login\`이 저장한 키를 사용합니다.
`,
  en: `Usage
  changgu-mcp [options]                                stdio: started by a host
  changgu-mcp http [--listen 127.0.0.1:4020] [options]  Streamable HTTP: needs CHANGGU_MCP_TOKEN, or CHANGGU_MCP_RESOURCE for OAuth
  changgu-mcp install <host> [--yes] [options]          show and write a host's configuration

Options
  --toolsets bank,tax,employment,insurance,other,all
                             groups of services to offer as tools (default bank,employment)
  --tools a,b                offer exactly these tools
  --read-only                leave out irreversible services
  --require-elicitation      run irreversible services only where the host can ask for confirmation
  --wait-cap <seconds>       longest wait of one call (default 50)
  --files-dir <folder>       where to save result files (default ~/changgu-files)
  --secrets <file>           JSON file with the locations of secrets
  --reveal                   do not mask account and resident registration numbers in
                             institutions' text
  --profile <name>           install: the CLI profile with which the bridge starts
  --version, --help

The connection is read from CHANGGU_BASE_URL, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET and CHANGGU_ENV_SCOPE.
Started by \`changgu mcp start\`, the bridge uses the key that \`changgu login\` saved.
`,
} as const;

export function helpText(env: Readonly<Record<string, string | undefined>>): string {
  return HELP[terminalLanguage(env)];
}
