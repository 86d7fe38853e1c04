import { variable } from './define-variable.ts';
import {
  choice,
  contact,
  databaseUrl,
  institutionUrl,
  integer,
  listen,
  mailAddress,
  networks,
  path,
  rate,
  secureUrl,
  smtpUrl,
  text,
  trustProxy,
} from './kinds.ts';

const server = ['server'] as const;
const seconds = (max: number) => integer(1, max);

/** The variables of the server. */
export const SERVER_VARIABLES = {
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
      en: 'Public address of the server. Download links and consent return addresses are built from it.',
    },
    required: { ko: '`serve`에서 필수', en: 'in `serve`' },
  }),
  databaseUrl: variable('DATABASE_URL', databaseUrl, null, {
    programs: server,
    secret: true,
    description: {
      ko: '데이터베이스입니다. 생략하면 CHANGGU_DATA_DIR 안의 SQLite 파일을 사용합니다.',
      en: 'Database. Default: a SQLite file in CHANGGU_DATA_DIR.',
    },
  }),
  dataDir: variable('DATA_DIR', path, '.changgu', {
    programs: server,
    description: {
      ko: 'SQLite 파일과 데모 정보를 두는 디렉터리입니다.',
      en: 'Directory for the SQLite file and the demo file.',
    },
  }),
  masterKey: variable('MASTER_KEY', text, null, {
    programs: server,
    secret: true,
    description: {
      ko: '저장된 모든 비밀값을 암호화하는 마스터 키입니다. 32바이트를 base64로 입력합니다.',
      en: 'Master key that encrypts every stored secret: 32 bytes in base64.',
    },
    required: {
      ko: '`serve`에서 CHANGGU_MASTER_KEY_FILE과 CHANGGU_MASTER_KEY_COMMAND가 없으면 필수',
      en: 'in `serve`, unless CHANGGU_MASTER_KEY_FILE or CHANGGU_MASTER_KEY_COMMAND is given',
    },
  }),
  masterKeyFile: variable('MASTER_KEY_FILE', path, null, {
    programs: server,
    description: {
      ko: '마스터 키가 들어 있는 파일입니다. CHANGGU_MASTER_KEY나 CHANGGU_MASTER_KEY_COMMAND와 함께 쓸 수 없습니다.',
      en: 'File that holds the master key. Cannot be combined with CHANGGU_MASTER_KEY or CHANGGU_MASTER_KEY_COMMAND.',
    },
  }),
  organizationSecretsDir: variable('ORGANIZATION_SECRETS_DIR', path, null, {
    programs: server,
    description: {
      ko: '조직별 비밀 파일을 보관하는 디렉터리입니다. 조직을 삭제하면 설정한 뒤에 만든 백업에 남은 암호화된 데이터도 복호화할 수 없습니다.',
      en: 'Directory with one secret per organization, so that after an organization is deleted its encrypted data cannot be decrypted from later backups either.',
    },
  }),
  masterKeyCommand: variable('MASTER_KEY_COMMAND', text, null, {
    programs: server,
    description: {
      ko: '마스터 키를 출력하는 명령입니다. 키 관리 서비스의 클라이언트를 쓸 수 있으며, 30초 안에 끝나야 합니다.',
      en: 'Command that prints the master key, e.g. the client of a key service. It has 30 seconds.',
    },
  }),
  role: variable('ROLE', choice(['all', 'api', 'worker']), 'all', {
    programs: server,
    description: {
      ko: '프로세스의 역할입니다. api는 요청만 처리하고, worker는 작업만 실행하며, all은 둘 다 합니다.',
      en: 'Role of this process: api answers requests, worker runs jobs, all does both.',
    },
  }),
  workerSlots: variable('WORKER_SLOTS', integer(0, 1000), '32', {
    programs: server,
    description: {
      ko: '한 프로세스가 동시에 실행하는 기관 작업 수입니다.',
      en: 'Maximum institution jobs that one process runs at a time.',
    },
  }),
  sandboxSlots: variable('SANDBOX_SLOTS', integer(0, 1000), '32', {
    programs: server,
    description: {
      ko: '한 프로세스가 동시에 실행하는 샌드박스 작업 수입니다.',
      en: 'Maximum sandbox jobs that one process runs at a time.',
    },
  }),
  leaseSeconds: variable('LEASE_SECONDS', integer(3, 600), '30', {
    programs: server,
    description: {
      ko: '작업을 맡은 프로세스의 신호가 이 시간 동안 끊기면 다른 프로세스가 이어받습니다. 이미 인증 정보를 보낸 작업은 실패로 끝납니다.',
      en: 'How long a worker may be silent before another one takes over its jobs; a job that has sent a credential fails instead.',
    },
  }),
  shutdownSeconds: variable('SHUTDOWN_SECONDS', integer(0, 600), '25', {
    programs: server,
    description: {
      ko: '종료할 때 실행 중인 조회 작업을 기다리는 시간입니다.',
      en: 'How long a process that is shutting down waits for running read jobs.',
    },
  }),
  queueLimitSeconds: variable('QUEUE_LIMIT_SECONDS', seconds(7 * 86_400), '21600', {
    programs: server,
    description: {
      ko: '대기열에서 이보다 오래 기다린 작업은 TIMEOUT으로 끝납니다.',
      en: 'Maximum time in the queue. A job that waits longer ends as TIMEOUT.',
    },
  }),
  passwordStrength: variable('PASSWORD_STRENGTH', choice(['on', 'off']), 'off', {
    programs: server,
    description: {
      ko: '쉽게 추측할 수 있는 비밀번호도 거부합니다. 끄면 길이와 이메일만 확인합니다.',
      en: 'Also refuses passwords that are easy to guess. Off, only the length and the email address are checked.',
    },
  }),
  rateLimit: variable('RATE_LIMIT', rate, '6000/60', {
    programs: server,
    description: {
      ko: '호출 주체 하나가 보낼 수 있는 요청 수와 기간(초)입니다. 프로세스마다 셉니다.',
      en: 'Requests allowed per number of seconds, for each principal and process.',
    },
  }),
  maxConnections: variable('MAX_CONNECTIONS', integer(1, 1_000_000), '10000', {
    programs: server,
    description: {
      ko: '한 프로세스가 동시에 유지하는 연결 수입니다. 이를 넘는 연결은 바로 끊습니다.',
      en: 'Maximum connections that one process keeps open. Further ones are closed at once.',
    },
  }),
  organizationStorageMib: variable('ORGANIZATION_STORAGE_MIB', integer(1, 1_000_000_000), '5120', {
    programs: server,
    description: {
      ko: '조직 하나의 작업과 파일이 차지할 수 있는 저장 공간(MiB)입니다.',
      en: 'Storage that the jobs and files of one organization may take, in MiB.',
    },
  }),
  trustProxy: variable('TRUST_PROXY', trustProxy, 'none', {
    programs: server,
    description: {
      ko: '호출자의 주소를 전달하도록 신뢰할 프록시입니다.',
      en: 'Proxies trusted to report the address of a caller.',
    },
  }),
  realTestDailyTokens: variable('REAL_TEST_DAILY_TOKENS', integer(0, 1_000_000_000), null, {
    programs: server,
    description: {
      ko: '테스트 환경(real_test)에서 하루에 사용할 수 있는 토큰 수입니다. 모든 요금제의 값 대신 적용되며, 생략하면 요금제의 값을 사용합니다.',
      en: 'Daily usage tokens in real_test, in place of what each plan says. Default: what each plan says.',
    },
  }),
  bankProductCap: variable('BANK_PRODUCT_CAP', integer(1, 100_000), '10', {
    programs: server,
    description: {
      ko: '은행 상품 하나에서 동시에 진행할 수 있는 작업 수입니다. `dev`에서는 3입니다.',
      en: 'Maximum unfinished jobs of one bank product; 3 in `dev`.',
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
      ko: '도구 호출이 작업이 끝날 때까지 기다리는 시간입니다.',
      en: 'How long a tool call waits for its jobs to finish.',
    },
  }),
  realTestUrls: {
    ...variable('REAL_TEST_URL_', institutionUrl, null, {
      programs: server,
      description: {
        ko: '테스트 환경(real_test)에서 사용할 기관 주소입니다. 예: `CHANGGU_REAL_TEST_URL_BANK_B`.',
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
      en: 'Address of the payment provider where payment methods are registered.',
    },
    required: { ko: '결제 수단을 등록하려면 필수', en: 'to register payment methods' },
  }),
  paymentClientKey: variable('PAYMENT_CLIENT_KEY', text, null, {
    programs: server,
    description: {
      ko: '결제 대행사가 발급한 공개키입니다. 결제 창이 사용합니다.',
      en: "Our public key at the payment provider, for the customer's browser.",
    },
    required: { ko: 'CHANGGU_PAYMENT_URL이 있으면 필수', en: 'with CHANGGU_PAYMENT_URL' },
  }),
  paymentSecretKey: variable('PAYMENT_SECRET_KEY', text, null, {
    programs: server,
    secret: true,
    description: {
      ko: '결제 대행사가 발급한 비밀 키입니다. CHANGGU_PAYMENT_URL로만 보냅니다.',
      en: 'Our secret key at the payment provider; sent to CHANGGU_PAYMENT_URL only.',
    },
    required: { ko: 'CHANGGU_PAYMENT_URL이 있으면 필수', en: 'with CHANGGU_PAYMENT_URL' },
  }),
  connectors: variable('CONNECTORS', path, null, {
    programs: server,
    description: {
      ko: '자체 기관을 추가하는 모듈입니다. `defineInstitution`의 결과를 내보내야 합니다.',
      en: 'Module that adds your own institutions. It exports the results of `defineInstitution`.',
    },
  }),
  oauth: variable('OAUTH', choice(['on', 'off']), 'off', {
    programs: server,
    description: {
      ko: 'OAuth 권한 부여 서버를 켭니다. `oidc-provider` 패키지가 필요합니다.',
      en: 'Turns the OAuth authorization server on. Needs the package `oidc-provider`.',
    },
  }),
  oauthClientDocuments: variable('OAUTH_CLIENT_DOCUMENTS', choice(['on', 'off']), 'on', {
    programs: server,
    description: {
      ko: '클라이언트가 자신의 메타데이터 문서 주소를 client_id로 사용할 수 있게 합니다. 서버가 그 주소를 읽습니다.',
      en: 'Lets a client use the address of its metadata document as its client id. The server fetches that address.',
    },
  }),
  oauthCommandLine: variable('OAUTH_COMMAND_LINE', choice(['on', 'off']), 'on', {
    programs: server,
    description: {
      ko: '`changgu login --web`가 사용하는 내장 클라이언트 `changgu-cli`를 둡니다. 끄면 이미 받은 토큰도 바로 거부됩니다.',
      en: 'Enables the built-in client `changgu-cli`, which `changgu login --web` uses. When off, its existing tokens are refused too.',
    },
  }),
  oauthRegistration: variable('OAUTH_REGISTRATION', choice(['on', 'off']), 'off', {
    programs: server,
    description: {
      ko: '누구나 클라이언트를 등록할 수 있게 합니다(RFC 7591). 주소마다 한 시간에 10번으로 제한합니다.',
      en: 'Lets anyone register a client (RFC 7591), ten an hour from one address.',
    },
  }),
  securityContact: variable('SECURITY_CONTACT', contact, null, {
    programs: server,
    description: {
      ko: '취약점을 신고받는 주소입니다. `/.well-known/security.txt`에 표시합니다.',
      en: 'Where to report vulnerabilities of your server. Shown at `/.well-known/security.txt`.',
    },
  }),
  smtpUrl: variable('SMTP_URL', smtpUrl, null, {
    programs: server,
    secret: true,
    description: {
      ko: '초대와 비밀번호 재설정 이메일을 보내는 SMTP 서버입니다. 없으면 초대 링크를 초대한 사람에게 표시합니다.',
      en: 'SMTP server that sends invitations and password resets. Without one, the inviter is shown the link.',
    },
  }),
  mailFrom: variable('MAIL_FROM', mailAddress, null, {
    programs: server,
    description: {
      ko: '이메일을 보내는 주소입니다. 생략하면 공개 주소의 호스트에서 changgu로 보냅니다.',
      en: 'Sender of email. Default: changgu at the host of the public address.',
    },
  }),
  webhookNetworks: variable('WEBHOOK_NETWORKS', networks, null, {
    programs: server,
    description: {
      ko: '웹훅을 보내도 되는 사설 네트워크입니다. 생략하면 공개 주소로만 보냅니다.',
      en: 'Private networks that webhooks may be sent to. Default: public addresses only.',
    },
  }),
  metricsToken: variable('METRICS_TOKEN', text, null, {
    programs: server,
    secret: true,
    description: {
      ko: '`/metrics`를 읽는 Bearer 토큰입니다.',
      en: 'Bearer token for reading `/metrics`.',
    },
    required: { ko: '`serve`에서 `/metrics`를 쓰려면 필수', en: 'in `serve`, for `/metrics`' },
  }),
  config: variable('CONFIG', path, null, {
    programs: server,
    description: {
      ko: '요금제와 그 밖의 설정을 담은 TOML 파일입니다.',
      en: 'TOML file with plans and other settings.',
    },
  }),
  console: variable('CONSOLE', choice(['on', 'off']), 'off', {
    programs: server,
    description: {
      ko: '웹 콘솔을 /console 에서 제공합니다. `dev`에서는 기본값이 on입니다.',
      en: 'Serves the web console at /console. On by default in `dev`.',
    },
  }),
  logLevel: variable(
    'LOG_LEVEL',
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    {
      programs: server,
      description: { ko: '기록할 로그의 수준입니다.', en: 'Log level.' },
    },
  ),
} as const;
