import type { Command } from '@commander-js/extra-typings';
import type { Text } from '../language.ts';
import type { Setup } from './setup.ts';

interface TopLevelCommand {
  readonly name: string;
  readonly about: Text;
  /** Declares its arguments, options and subcommands; loaded only when they matter. */
  readonly declare: () => Promise<(command: Command, setup: Setup) => void>;
}

/** The commands of the first level, in the order of the help. */
export const TOP_LEVEL: readonly TopLevelCommand[] = [
  {
    name: 'jobs',
    about: {
      ko: '작업을 제출하고, 기다리고, 결과를 조회합니다',
      en: 'submit jobs, wait for them, read results',
    },
    declare: async () => (await import('./jobs.ts')).declareJobs,
  },
  {
    name: 'all-accounts',
    about: {
      ko: '업무 하나를 모든 계좌에 실행합니다. 중단되어도 이어서 할 수 있습니다',
      en: 'run one action on all bank accounts; can be resumed after an interruption',
    },
    declare: async () => (await import('./all-accounts.ts')).declareAllAccounts,
  },
  {
    name: 'runs',
    about: { ko: '모든 계좌 실행의 기록', en: 'journals of all-accounts runs' },
    declare: async () => (await import('./runs.ts')).declareRuns,
  },
  {
    name: 'actions',
    about: {
      ko: '사용할 수 있는 업무와 필요한 파라미터를 보여 줍니다',
      en: 'available actions, and what each one needs',
    },
    declare: async () => (await import('./actions.ts')).declareActions,
  },
  {
    name: 'artifacts',
    about: { ko: '작업이 만든 파일', en: 'files that jobs made' },
    declare: async () => (await import('./files.ts')).declareArtifacts,
  },
  {
    name: 'receipts',
    about: {
      ko: '되돌릴 수 없는 처리의 서명된 확인서',
      en: 'signed proof of what took effect',
    },
    declare: async () => (await import('./receipts.ts')).declareReceipts,
  },
  {
    name: 'events',
    about: { ko: '조직의 이벤트', en: 'events of the organization' },
    declare: async () => (await import('./events.ts')).declareEvents,
  },
  {
    name: 'webhooks',
    about: { ko: '이벤트를 받는 주소', en: 'addresses that events are sent to' },
    declare: async () => (await import('./webhooks.ts')).declareWebhooks,
  },
  {
    name: 'links',
    about: {
      ko: '기관 연결: 인증서, 로그인, 동의',
      en: 'links to institutions: certificates, logins, consents',
    },
    declare: async () => (await import('./credentials.ts')).declareLinks,
  },
  {
    name: 'bank-accounts',
    about: { ko: '연결에 등록된 계좌', en: 'bank accounts of a link' },
    declare: async () => (await import('./credentials.ts')).declareBankAccounts,
  },
  {
    name: 'login',
    about: { ko: '로그인하고 프로필에 저장합니다', en: 'log in and save it in a profile' },
    declare: async () => (await import('./account.ts')).declareLogin,
  },
  {
    name: 'logout',
    about: { ko: '저장된 인증 정보를 삭제합니다', en: 'delete the stored credentials' },
    declare: async () => (await import('./account.ts')).declareLogout,
  },
  {
    name: 'whoami',
    about: {
      ko: '누구로, 어떤 설정으로 호출하는지 보여 줍니다',
      en: 'who you are, and where each setting comes from',
    },
    declare: async () => (await import('./account.ts')).declareWhoami,
  },
  {
    name: 'profiles',
    about: { ko: '프로필을 관리합니다', en: 'manage profiles' },
    declare: async () => (await import('./account.ts')).declareProfiles,
  },
  {
    name: 'config',
    about: { ko: '설정을 조회하고 변경합니다', en: 'show and change settings' },
    declare: async () => (await import('./account.ts')).declareConfig,
  },
  {
    name: 'app-credentials',
    about: { ko: '프로그램용 키', en: 'keys for programs' },
    declare: async () => (await import('./access.ts')).declareAppCredentials,
  },
  {
    name: 'audit',
    about: { ko: '조직의 감사 기록', en: 'audit records of the organization' },
    declare: async () => (await import('./access.ts')).declareAudit,
  },
  {
    name: 'members',
    about: { ko: '조직의 구성원과 초대', en: 'members of the organization, and invitations' },
    declare: async () => (await import('./people.ts')).declareMembers,
  },
  {
    name: 'sessions',
    about: { ko: '콘솔 로그인', en: 'console logins' },
    declare: async () => (await import('./people.ts')).declareSessions,
  },
  {
    name: 'factors',
    about: { ko: '2단계 인증', en: 'second factors of your login' },
    declare: async () => (await import('./people.ts')).declareFactors,
  },
  {
    name: 'membership',
    about: { ko: '요금제와 남은 사용량', en: 'plan, quota and rate limit' },
    declare: async () => (await import('./access.ts')).declareMembership,
  },
  {
    name: 'products',
    about: { ko: '서버가 제공하는 상품', en: 'products of the service' },
    declare: async () => (await import('./billing.ts')).declareProducts,
  },
  {
    name: 'invoices',
    about: { ko: '청구서', en: 'invoices' },
    declare: async () => (await import('./billing.ts')).declareInvoices,
  },
  {
    name: 'encrypt',
    about: { ko: '값을 암호화합니다(표준 입력 → base64)', en: 'encrypt a value: stdin to base64' },
    declare: async () => (await import('./access.ts')).declareEncrypt,
  },
  {
    name: 'keys',
    about: { ko: '서버의 암호화 공개키', en: 'public encryption keys of the service' },
    declare: async () => (await import('./access.ts')).declareKeys,
  },
  {
    name: 'sandbox',
    about: { ko: '이 컴퓨터에서 서버를 실행합니다', en: 'run the service on this machine' },
    declare: async () => (await import('./launchers.ts')).declareSandbox,
  },
  {
    name: 'mcp',
    about: { ko: 'AI 에이전트용 MCP 서버', en: 'MCP server for AI agents' },
    declare: async () => (await import('./launchers.ts')).declareMcp,
  },
  {
    name: 'api',
    about: { ko: '요청을 직접 보냅니다', en: 'send any request' },
    declare: async () => (await import('./system.ts')).declareApi,
  },
  {
    name: 'open',
    about: {
      ko: '콘솔이나 API 문서를 브라우저에서 엽니다',
      en: 'open the console or the API reference in the browser',
    },
    declare: async () => (await import('./system.ts')).declareOpen,
  },
  {
    name: 'doctor',
    about: {
      ko: '설정, 연결, 인증을 점검합니다',
      en: 'check settings, connection and credentials',
    },
    declare: async () => (await import('./system.ts')).declareDoctor,
  },
  {
    name: 'commands',
    about: {
      ko: '모든 명령과 옵션. --json이면 전체 구조',
      en: 'every command; with --json its options too',
    },
    declare: async () => (await import('./system.ts')).declareCommands,
  },
  {
    name: 'completion',
    about: { ko: '셸 자동 완성 스크립트', en: 'completion script of a shell' },
    declare: async () => (await import('./system.ts')).declareCompletion,
  },
];
