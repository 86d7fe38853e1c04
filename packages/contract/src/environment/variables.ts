import type { Text } from '../action.ts';
import { ENV_SCOPES } from '../principals.ts';
import {
  choice,
  choices,
  databaseUrl,
  flag,
  institutionUrl,
  integer,
  type Kind,
  list,
  listen,
  path,
  rate,
  secureUrl,
  text,
  trustProxy,
} from './kinds.ts';

export type Program = 'server' | 'sdk' | 'cli' | 'mcp';

interface VariableText {
  readonly programs: readonly Program[];
  readonly description: Text;
  /** When it must be there, for people. */
  readonly required?: Text;
  /** Never shown, never logged. */
  readonly secret?: true;
}

export interface Variable<T, D extends string | null> extends VariableText {
  readonly name: string;
  readonly kind: Kind<T>;
  /** Parsed like a given value; null when there is none. */
  readonly default: D;
  /** One variable per provider: its name goes on with the provider in capitals. */
  readonly perProvider?: true;
}

/** Any variable, whatever its type. */
export type AnyVariable = Variable<unknown, string | null>;

function variable<T, const D extends string | null>(
  name: string,
  kind: Kind<T>,
  defaultText: D,
  rest: VariableText,
): Variable<T, D> {
  return { name: `CHANGGU_${name}`, kind, default: defaultText, ...rest };
}

const server = ['server'] as const;
const clients = ['sdk', 'cli', 'mcp'] as const;
const seconds = (max: number) => integer(1, max);

/** Every environment variable of server, SDK, CLI and MCP bridge, once (design "Running it"; D43, D44, D141, D150, D153). */
export const VARIABLES = {
  listen: variable('LISTEN', listen, '127.0.0.1:4010', {
    programs: server,
    description: {
      ko: '서버가 요청을 받을 주소와 포트입니다.',
      en: 'Address and port that the server listens on.',
    },
  }),
  publicBaseUrl: variable('PUBLIC_BASE_URL', secureUrl, null, {
    programs: server,
    description: {
      ko: '밖에서 보이는 서버 주소입니다. 다운로드 주소와 동의 화면의 복귀 주소를 만드는 데 사용합니다.',
      en: 'Address of the server as callers see it; download and consent-return addresses are made from it.',
    },
    required: { ko: '`serve`에서 필수', en: 'in `serve`' },
  }),
  databaseUrl: variable('DATABASE_URL', databaseUrl, null, {
    programs: server,
    secret: true,
    description: {
      ko: '데이터베이스입니다. 생략하면 DATA_DIR 안의 SQLite 파일을 사용합니다.',
      en: 'The database; a SQLite file in DATA_DIR unless given.',
    },
  }),
  dataDir: variable('DATA_DIR', path, '.changgu', {
    programs: server,
    description: {
      ko: 'SQLite 파일과 데모 정보를 두는 디렉터리입니다.',
      en: 'Directory of the SQLite file and of the demo file.',
    },
  }),
  masterKey: variable('MASTER_KEY', text, null, {
    programs: server,
    secret: true,
    description: {
      ko: '저장된 모든 비밀을 잠그는 마스터 키입니다. 32바이트를 base64로 적습니다.',
      en: 'Master key that locks every stored secret: 32 bytes in base64.',
    },
    required: {
      ko: '`serve`에서 MASTER_KEY_FILE이 없으면 필수',
      en: 'in `serve`, unless MASTER_KEY_FILE is given',
    },
  }),
  masterKeyFile: variable('MASTER_KEY_FILE', path, null, {
    programs: server,
    description: {
      ko: '마스터 키가 들어 있는 파일입니다. MASTER_KEY와 함께 쓸 수 없습니다.',
      en: 'File that holds the master key; not together with MASTER_KEY.',
    },
  }),
  role: variable('ROLE', choice(['all', 'api', 'worker']), 'all', {
    programs: server,
    description: {
      ko: '프로세스의 역할입니다. api는 요청만 받고 worker는 작업만 실행합니다.',
      en: 'What this process does: api answers requests, worker runs jobs, all does both.',
    },
  }),
  workerSlots: variable('WORKER_SLOTS', integer(0, 1000), '32', {
    programs: server,
    description: {
      ko: '한 프로세스가 동시에 실행하는 기관 작업 수입니다.',
      en: 'Institution jobs that one process runs at a time.',
    },
  }),
  sandboxSlots: variable('SANDBOX_SLOTS', integer(0, 1000), '32', {
    programs: server,
    description: {
      ko: '한 프로세스가 동시에 실행하는 샌드박스 작업 수입니다.',
      en: 'Sandbox jobs that one process runs at a time.',
    },
  }),
  leaseSeconds: variable('LEASE_SECONDS', integer(3, 600), '30', {
    programs: server,
    description: {
      ko: '작업을 맡은 프로세스의 신호가 이 시간 동안 끊기면 다른 프로세스가 이어받습니다.',
      en: 'A job whose worker is silent for this long is taken over by another.',
    },
  }),
  shutdownSeconds: variable('SHUTDOWN_SECONDS', integer(0, 600), '25', {
    programs: server,
    description: {
      ko: '종료할 때 실행 중인 조회 작업을 기다리는 시간입니다.',
      en: 'How long a stopping process waits for running reads.',
    },
  }),
  queueLimitSeconds: variable('QUEUE_LIMIT_SECONDS', seconds(7 * 86_400), '21600', {
    programs: server,
    description: {
      ko: '대기열에서 이보다 오래 기다린 작업은 TIMEOUT으로 끝납니다.',
      en: 'A job that waited longer than this ends as TIMEOUT.',
    },
  }),
  rateLimit: variable('RATE_LIMIT', rate, '6000/60', {
    programs: server,
    description: {
      ko: '호출 주체 하나가 보낼 수 있는 요청 수와 기간(초)입니다. 프로세스마다 셉니다.',
      en: 'Requests per seconds of one principal, counted per process.',
    },
  }),
  trustProxy: variable('TRUST_PROXY', trustProxy, 'none', {
    programs: server,
    description: {
      ko: '호출자 주소를 알려 주는 것으로 믿을 프록시입니다.',
      en: 'Proxies that are believed about the address of a caller.',
    },
  }),
  realTestDailyTokens: variable('REAL_TEST_DAILY_TOKENS', integer(0, 1_000_000_000), '100', {
    programs: server,
    description: {
      ko: '데모 환경(real_test)의 하루 사용 토큰 수입니다.',
      en: 'Usage tokens per day in real_test.',
    },
  }),
  bankProductCap: variable('BANK_PRODUCT_CAP', integer(1, 100_000), '10', {
    programs: server,
    description: {
      ko: '은행 상품 하나에서 동시에 진행할 수 있는 작업 수입니다. `dev`에서는 3입니다.',
      en: 'Unfinished jobs of one bank product at a time; 3 in `dev`.',
    },
  }),
  bankProductCapWindowSeconds: variable('BANK_PRODUCT_CAP_WINDOW_SECONDS', seconds(86_400), '600', {
    programs: server,
    description: {
      ko: '이 시간 안에 접수된 작업만 동시 작업 수에 셉니다.',
      en: 'Only jobs submitted within this time count toward the cap.',
    },
  }),
  sandboxDelayMs: variable('SANDBOX_DELAY_MS', integer(0, 600_000), '0', {
    programs: server,
    description: {
      ko: '샌드박스 작업이 실행 중으로 머무는 시간(밀리초)입니다.',
      en: 'How long a sandbox job stays RUNNING, in milliseconds.',
    },
  }),
  mcpWaitSeconds: variable('MCP_WAIT_SECONDS', integer(0, 280), '50', {
    programs: server,
    description: {
      ko: '도구 호출이 작업의 끝을 기다리는 시간입니다.',
      en: 'How long a tool call waits for its jobs to end.',
    },
  }),
  realTestUrls: {
    ...variable('REAL_TEST_URL_', institutionUrl, null, {
      programs: server,
      description: {
        ko: '데모 환경에서 사용할 기관 주소입니다. 예: `CHANGGU_REAL_TEST_URL_BANK_B`.',
        en: 'Address of an institution in real_test, e.g. `CHANGGU_REAL_TEST_URL_BANK_B`.',
      },
    }),
    perProvider: true,
  },
  productionUrls: {
    ...variable('PRODUCTION_URL_', institutionUrl, null, {
      programs: server,
      description: {
        ko: '운영 환경에서 사용할 기관 주소입니다. 예: `CHANGGU_PRODUCTION_URL_BANK_B`.',
        en: 'Address of an institution in production, e.g. `CHANGGU_PRODUCTION_URL_BANK_B`.',
      },
    }),
    perProvider: true,
  },
  paymentUrl: variable('PAYMENT_URL', secureUrl, null, {
    programs: server,
    description: {
      ko: '결제 수단을 등록하는 결제 대행사의 주소입니다.',
      en: 'Address of the payment provider at which means of payment are registered.',
    },
    required: { ko: '결제 수단을 등록하려면 필수', en: 'to register means of payment' },
  }),
  paymentClientKey: variable('PAYMENT_CLIENT_KEY', text, null, {
    programs: server,
    description: {
      ko: '결제 대행사가 발급한 공개 키입니다. 결제 창이 사용합니다.',
      en: "Our public key at the payment provider, for the customer's browser.",
    },
    required: { ko: 'PAYMENT_URL이 있으면 필수', en: 'with PAYMENT_URL' },
  }),
  paymentSecretKey: variable('PAYMENT_SECRET_KEY', text, null, {
    programs: server,
    secret: true,
    description: {
      ko: '결제 대행사가 발급한 비밀 키입니다. PAYMENT_URL로만 보냅니다.',
      en: 'Our secret key at the payment provider; sent to PAYMENT_URL only.',
    },
    required: { ko: 'PAYMENT_URL이 있으면 필수', en: 'with PAYMENT_URL' },
  }),
  connectors: variable('CONNECTORS', path, null, {
    programs: server,
    description: {
      ko: '자체 기관을 추가하는 모듈입니다. `defineInstitution`의 결과를 내보내야 합니다.',
      en: 'Module with your own institutions; it exports what `defineInstitution` returns.',
    },
  }),
  metricsToken: variable('METRICS_TOKEN', text, null, {
    programs: server,
    secret: true,
    description: {
      ko: '`/metrics`를 읽는 Bearer 토큰입니다.',
      en: 'Bearer token that reads `/metrics`.',
    },
    required: { ko: '`serve`에서 `/metrics`를 쓰려면 필수', en: 'in `serve`, for `/metrics`' },
  }),
  config: variable('CONFIG', path, null, {
    programs: server,
    description: {
      ko: '요금제와 그 밖의 설정을 담은 TOML 파일입니다.',
      en: 'TOML file with the plans and other settings.',
    },
  }),
  logLevel: variable(
    'LOG_LEVEL',
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    {
      programs: server,
      description: { ko: '기록할 로그의 수준입니다.', en: 'How much is logged.' },
    },
  ),
  baseUrl: variable('BASE_URL', secureUrl, null, {
    programs: clients,
    description: { ko: '호출할 서버의 주소입니다.', en: 'Address of the server to call.' },
  }),
  clientId: variable('CLIENT_ID', text, null, {
    programs: clients,
    description: { ko: '발급받은 클라이언트 ID입니다.', en: 'Client id of the credential.' },
  }),
  clientSecret: variable('CLIENT_SECRET', text, null, {
    programs: clients,
    secret: true,
    description: {
      ko: '발급받은 클라이언트 시크릿입니다.',
      en: 'Client secret of the credential.',
    },
  }),
  envScope: variable('ENV_SCOPE', choice(ENV_SCOPES), null, {
    programs: clients,
    description: { ko: '호출할 환경입니다.', en: 'Environment of the calls.' },
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
      ko: '클라이언트 시크릿을 두는 곳입니다. 생략하면 키링을 쓸 수 있을 때 키링을 사용합니다.',
      en: 'Where client secrets are kept; the keyring when there is one, unless given.',
    },
  }),
  mcpToken: variable('MCP_TOKEN', text, null, {
    programs: ['mcp'],
    secret: true,
    description: {
      ko: '`changgu-mcp http`를 호출하는 Bearer 토큰입니다.',
      en: 'Bearer token that callers of `changgu-mcp http` send.',
    },
    required: { ko: '`changgu-mcp http`에서 필수', en: 'in `changgu-mcp http`' },
  }),
  mcpToolsets: variable(
    'MCP_TOOLSETS',
    choices(['bank', 'tax', 'employment', 'insurance', 'other', 'all']),
    'bank,employment',
    {
      programs: ['mcp'],
      description: {
        ko: '도구로 내놓을 서비스 묶음입니다. other는 자체 기관입니다.',
        en: 'Groups of services that get tools of their own; other is for own institutions.',
      },
    },
  ),
  mcpTools: variable('MCP_TOOLS', list, null, {
    programs: ['mcp'],
    description: {
      ko: '도구를 이름으로 지정합니다. 묶음보다 먼저입니다.',
      en: 'Exactly these tools, by name, in place of the groups.',
    },
  }),
  mcpReadOnly: variable('MCP_READ_ONLY', flag, '0', {
    programs: ['mcp'],
    description: {
      ko: '되돌릴 수 없는 서비스를 내놓지도 실행하지도 않습니다.',
      en: 'Nothing irreversible is offered or run.',
    },
  }),
  mcpRequireElicitation: variable('MCP_REQUIRE_ELICITATION', flag, '0', {
    programs: ['mcp'],
    description: {
      ko: '호스트가 직접 확인을 물을 수 있을 때만 되돌릴 수 없는 서비스를 실행합니다.',
      en: 'Irreversible services run only where the host can ask its person itself.',
    },
  }),
  mcpWaitCap: variable('MCP_WAIT_CAP', seconds(280), '50', {
    programs: ['mcp'],
    description: {
      ko: '도구 호출 하나가 기다리는 최대 시간(초)입니다.',
      en: 'Longest wait of one tool call, in seconds.',
    },
  }),
  mcpFilesDir: variable('MCP_FILES_DIR', path, null, {
    programs: ['mcp'],
    description: {
      ko: '결과 파일을 저장할 디렉터리입니다. 생략하면 홈 디렉터리의 changgu-files입니다.',
      en: 'Directory for files of results; changgu-files in the home directory unless given.',
    },
  }),
  mcpSecrets: variable('MCP_SECRETS', path, null, {
    programs: ['mcp'],
    description: {
      ko: '비밀값이 있는 곳을 적은 JSON 파일입니다.',
      en: 'JSON file that says where secret values are kept.',
    },
  }),
  mcpReveal: variable('MCP_REVEAL', flag, '0', {
    programs: ['mcp'],
    description: {
      ko: '기관 문장 속 계좌번호와 주민등록번호를 가리지 않습니다.',
      en: 'Leaves account and resident numbers in texts of institutions as they are.',
    },
  }),
} as const;

export type VariableKey = keyof typeof VARIABLES;
