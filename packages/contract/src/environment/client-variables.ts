import { ENV_SCOPES } from '../principals.ts';
import { variable } from './define-variable.ts';
import { choice, choices, flag, integer, list, path, secureUrl, text } from './kinds.ts';

const clients = ['sdk', 'cli', 'mcp'] as const;
const seconds = (max: number) => integer(1, max);

/** The variables of the SDK, the CLI and the MCP bridge. */
export const CLIENT_VARIABLES = {
  baseUrl: variable('BASE_URL', secureUrl, null, {
    programs: clients,
    description: { ko: '호출할 서버의 주소입니다.', en: 'Address of the server to call.' },
  }),
  clientId: variable('CLIENT_ID', text, null, {
    programs: clients,
    description: { ko: '발급받은 클라이언트 ID입니다.', en: 'Client id that was issued to you.' },
  }),
  clientSecret: variable('CLIENT_SECRET', text, null, {
    programs: clients,
    secret: true,
    description: {
      ko: '발급받은 클라이언트 시크릿입니다.',
      en: 'Client secret that was issued with it.',
    },
  }),
  envScope: variable('ENV_SCOPE', choice(ENV_SCOPES), null, {
    programs: clients,
    description: { ko: '호출할 환경입니다.', en: 'Environment to call.' },
  }),
  log: variable('LOG', choice(['debug', 'info', 'warn', 'error', 'off']), null, {
    programs: ['sdk'],
    description: {
      ko: '이 수준부터 SDK의 기록을 표준 오류로 출력합니다. 로거를 지정한 프로그램에서는 로거로 보냅니다. 다른 값은 무시합니다.',
      en: 'Log of the SDK from this level on: to standard error, or to the logger of the program. Any other value is ignored.',
    },
  }),
  profile: variable('PROFILE', text, null, {
    programs: ['cli', 'mcp'],
    description: {
      ko: '설정 파일에서 사용할 프로필의 이름입니다.',
      en: 'Name of the profile to use from the configuration file.',
    },
  }),
  credentialStore: variable('CREDENTIAL_STORE', choice(['keyring', 'file']), null, {
    programs: ['cli', 'mcp'],
    description: {
      ko: '클라이언트 시크릿을 저장하는 곳입니다. 생략하면 시스템 키체인에, 키체인이 없으면 파일에 저장합니다.',
      en: 'Where client secrets are stored. Default: the keyring, where there is one.',
    },
  }),
  webhookSecret: variable('WEBHOOK_SECRET', text, null, {
    programs: ['cli'],
    secret: true,
    description: {
      ko: '`changgu webhooks listen`이 서명하는 시크릿(`whsec_…`)입니다. 생략하면 실행할 때마다 새로 만듭니다.',
      en: 'Secret (`whsec_…`) that `changgu webhooks listen` signs with. Default: a new one for each run.',
    },
  }),
  mcpToken: variable('MCP_TOKEN', text, null, {
    programs: ['mcp'],
    secret: true,
    description: {
      ko: '`changgu-mcp http`를 호출하는 Bearer 토큰입니다.',
      en: 'Bearer token that callers of `changgu-mcp http` send.',
    },
    required: {
      ko: '`changgu-mcp http`에서 필수. CHANGGU_MCP_RESOURCE를 지정하면 생략',
      en: 'in `changgu-mcp http`, unless CHANGGU_MCP_RESOURCE is set',
    },
  }),
  mcpResource: variable('MCP_RESOURCE', text, null, {
    programs: ['mcp'],
    description: {
      ko: '`changgu-mcp http`의 공개 주소입니다. 지정하면 서버의 OAuth 토큰으로 호출합니다.',
      en: 'Public address of `changgu-mcp http`. When set, callers bring OAuth tokens of the service.',
    },
  }),
  mcpIntrospectionId: variable('MCP_INTROSPECTION_ID', text, null, {
    programs: ['mcp'],
    description: {
      ko: '`changgu-server oauth client add --resource`로 발급한 클라이언트 ID입니다.',
      en: 'Client ID from `changgu-server oauth client add --resource`.',
    },
  }),
  mcpIntrospectionSecret: variable('MCP_INTROSPECTION_SECRET', text, null, {
    programs: ['mcp'],
    secret: true,
    description: {
      ko: '함께 발급한 클라이언트 시크릿입니다.',
      en: 'Client secret that was issued with it.',
    },
  }),
  mcpToolsets: variable(
    'MCP_TOOLSETS',
    choices(['bank', 'tax', 'employment', 'insurance', 'other', 'all']),
    'bank,employment',
    {
      programs: ['mcp'],
      description: {
        ko: '개별 도구로 제공할 서비스 그룹입니다. other는 자체 기관의 서비스입니다.',
        en: 'Service groups that get a tool for each service. other means your own institutions.',
      },
    },
  ),
  mcpTools: variable('MCP_TOOLS', list, null, {
    programs: ['mcp'],
    description: {
      ko: '제공할 도구의 이름입니다. 그룹 설정보다 우선합니다.',
      en: 'Names of the tools to offer. Overrides the groups.',
    },
  }),
  mcpReadOnly: variable('MCP_READ_ONLY', flag, '0', {
    programs: ['mcp'],
    description: {
      ko: '되돌릴 수 없는 서비스를 제공하거나 실행하지 않습니다.',
      en: 'Offer and run no irreversible service.',
    },
  }),
  mcpRequireElicitation: variable('MCP_REQUIRE_ELICITATION', flag, '0', {
    programs: ['mcp'],
    description: {
      ko: '호스트가 사용자에게 직접 확인받을 수 있을 때만 되돌릴 수 없는 서비스를 실행합니다.',
      en: 'Run irreversible services only where the host can ask its user for confirmation.',
    },
  }),
  mcpWaitCap: variable('MCP_WAIT_CAP', seconds(280), '50', {
    programs: ['mcp'],
    description: {
      ko: '도구 호출 하나가 기다리는 최대 시간(초)입니다.',
      en: 'Maximum wait of one tool call, in seconds.',
    },
  }),
  mcpFilesDir: variable('MCP_FILES_DIR', path, null, {
    programs: ['mcp'],
    description: {
      ko: '결과 파일을 저장할 디렉터리입니다. 생략하면 홈 디렉터리의 changgu-files입니다.',
      en: 'Directory for result files. Default: changgu-files in the home directory.',
    },
  }),
  mcpSecrets: variable('MCP_SECRETS', path, null, {
    programs: ['mcp'],
    description: {
      ko: '비밀값의 위치를 지정하는 JSON 파일입니다.',
      en: 'JSON file that tells where secret values are stored.',
    },
  }),
  mcpReveal: variable('MCP_REVEAL', flag, '0', {
    programs: ['mcp'],
    description: {
      ko: '기관이 작성한 글에 있는 계좌번호와 주민등록번호를 가리지 않습니다.',
      en: 'Do not mask account and resident registration numbers in text from institutions.',
    },
  }),
} as const;
