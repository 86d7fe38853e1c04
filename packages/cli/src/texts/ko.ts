import { doctorKo } from './doctor-ko.ts';
import { inputKo } from './input-ko.ts';
import { systemKo } from './system-ko.ts';
import { webLoginKo } from './web-login-ko.ts';

/** What the program says in Korean; the other language has exactly the same texts. */
export const ko = {
  inLanguage: ({ ko }: { ko: string; en: string }) => ko,
  error: '오류',
  warning: '주의',
  interrupted: '중단했습니다.',
  didYouMean: (name: string) => `혹시 ${name}입니까?`,
  /** What the service says of a field is English on the wire. */
  fieldMessage: async (message: string): Promise<string> =>
    (await import('@changgu/contract/field-messages-ko')).fieldMessageKo(message),
  help: {
    titles: {
      'Usage:': '사용법:',
      'Arguments:': '인수:',
      'Options:': '옵션:',
      'Global Options:': '공통 옵션:',
      'Commands:': '명령:',
    },
    examples: '예:',
    exitCodes: '종료 코드:',
    exitCodeLines: [
      '0 성공 · 1 실패 · 2 잘못된 입력 · 3 작업이 성공하지 못하고 종료 · 4 인증 또는 권한 없음',
      '6 일부 계좌 실패 · 7 혼잡, 나중에 다시 시도 · 8 대기 시간 초과(작업은 계속됨) · 130/143 중단',
    ],
    more: (command: string) => `각 명령의 자세한 설명: ${command} --help`,
    default: '기본값',
  },
  usage: {
    unknownOption: (name: string) => `알 수 없는 옵션입니다: ${name}`,
    unknownCommand: (name: string) => `알 수 없는 명령입니다: ${name}`,
    missingArgument: (name: string) => `인수가 필요합니다: ${name}`,
    optionMissingArgument: (name: string) => `옵션에 값이 필요합니다: ${name}`,
    missingMandatoryOptionValue: (name: string) => `옵션이 필요합니다: ${name}`,
    excessArguments: '인수가 너무 많습니다.',
    invalidArgument: (name: string) => `값이 올바르지 않습니다: ${name}`,
    conflictingOption: (name: string) => `함께 사용할 수 없는 옵션입니다: ${name}`,
  },
  output: {
    empty: '결과가 없습니다.',
    yes: '예',
    no: '아니요',
    unknownField: (name: string) => `없는 필드입니다: ${name}`,
    fields: (names: string) => `사용할 수 있는 필드: ${names}`,
    notApplied: (option: string) => `이 명령의 출력에는 ${option} 옵션을 사용할 수 없습니다.`,
    notForFile: (option: string) =>
      `이 명령은 파일을 그대로 출력하므로 ${option} 옵션을 사용할 수 없습니다.`,
    onlyFormats: (formats: string) => `이 명령의 출력 형식은 다음 중 하나여야 합니다: ${formats}`,
    needsFormat: (option: string, formats: string) =>
      `${option} 옵션은 다음 형식에서만 사용할 수 있습니다: ${formats}`,
    wrongJq: (why: string) => `jq 식을 실행할 수 없습니다: ${why}`,
    hidden: (columns: string) =>
      `화면이 좁아 표시하지 않은 열: ${columns} (모두 보려면 -o csv 또는 --fields)`,
    more: (count: number) => `${count}건만 표시했습니다. 더 보려면:`,
    dryRun: '실행하지 않았습니다(--dry-run).',
    nothingToDo: '변경할 내용이 없습니다(--dry-run).',
  },
  config: {
    notToml: (file: string, why: string) => `설정 파일을 읽을 수 없습니다: ${file} (${why})`,
    unknownKey: (file: string, key: string) =>
      `설정 파일에 알 수 없는 항목이 있습니다: ${key} (${file})`,
    wrongValue: (file: string, key: string) => `설정 값이 올바르지 않습니다: ${key} (${file})`,
    profileName: (name: string) =>
      `프로필 이름에는 영문자, 숫자, _, -만 사용할 수 있습니다: ${name}`,
    noSuchProfile: (name: string) => `프로필이 없습니다: ${name}`,
    profileExists: (name: string) => `같은 이름의 프로필이 이미 있습니다: ${name}`,
    removeAsk: (name: string, url: string) =>
      `프로필 ${name}(${url})와(과) 저장된 인증 정보를 삭제합니다.`,
    noBaseUrl: '서버 주소가 설정되지 않았습니다.',
    wrongProxy: (variable: string) =>
      `프록시 주소는 http://127.0.0.1:3128처럼 적습니다. 환경 변수를 확인하십시오: ${variable}`,
    baseUrlParts: (url: string) =>
      `서버 주소에는 사용자 이름, 비밀번호, 쿼리를 쓸 수 없습니다: ${url}`,
    wrongBaseUrl: (url: string) => `서버 주소는 https이거나 이 컴퓨터의 http여야 합니다: ${url}`,
    wrongEnvScope: (value: string) =>
      `환경은 sandbox, real_test, production 중 하나여야 합니다: ${value}`,
    wrongStore: (value: string) => `인증 정보 저장소는 keyring 또는 file이어야 합니다: ${value}`,
    flagBeatsEnv: (flag: string, variable: string) =>
      `${flag} 값을 사용합니다. 환경 변수 ${variable}의 값과 다릅니다.`,
    sources: {
      flag: '옵션',
      environment: '환경 변수',
      project: '프로젝트 파일',
      profile: '프로필',
      default: '기본값',
    },
  },
  login: {
    needed: '로그인이 필요합니다.',
    consoleNeeded: '콘솔 로그인이 필요한 명령입니다.',
    consoleExpired: (at: string) => `콘솔 로그인이 만료되었습니다(${at}).`,
    idAlone: 'CHANGGU_CLIENT_ID와 CHANGGU_CLIENT_SECRET은 함께 지정해야 합니다.',
    otherOrigin: (profile: string, origin: string) =>
      `프로필 ${profile}의 인증 정보는 ${origin}에만 보낼 수 있습니다.`,
    askBaseUrl: '서버 주소',
    askClientId: '클라이언트 ID',
    askClientSecret: '클라이언트 시크릿',
    askPassword: (email: string) => `${email}의 비밀번호`,
    askFactorCode: '인증 앱의 코드 또는 복구 코드',
    loggingIn: (url: string, who: string) => `${url}에 ${who}(으)로 로그인합니다.`,
    refused: '서버가 로그인을 거부했습니다. 저장하지 않았습니다.',
    checkBoth: 'ID와 시크릿 또는 비밀번호가 이 서버의 것인지 확인하십시오.',
    done: (profile: string, where: string) =>
      `로그인했습니다. 프로필: ${profile}, 인증 정보 저장 위치: ${where}`,
    keychains: {
      darwin: 'macOS 키체인',
      win32: 'Windows 자격 증명 관리자',
      linux: '시스템 키링(Secret Service)',
    },
    file: (path: string) => `파일(0600) ${path}`,
    secretOf: (profile: string, store: string) => `프로필 ${profile}의 인증 정보(${store})`,
    noKeyring: (why: string) => `시스템 키체인을 사용할 수 없어 파일에 저장합니다(${why}).`,
    keyringFailed: (why: string) => `시스템 키체인을 사용할 수 없습니다: ${why}`,
    loggedOut: (profile: string) => `로그아웃했습니다: ${profile}`,
    environmentStays:
      '환경 변수의 인증 정보는 그대로입니다. 사용하지 않으려면 환경 변수를 해제하십시오.',
    profileBusy: (profile: string) =>
      `다른 프로세스가 프로필 ${profile}의 인증 정보를 바꾸고 있습니다. 잠시 후 다시 실행하십시오.`,
    profileInUse: '환경 변수 CHANGGU_PROFILE이 지정되어 있어 프로필을 바꾸어도 적용되지 않습니다.',
    nothingStored: (profile: string) => `저장된 인증 정보가 없습니다: ${profile}`,
    noDemo: (file: string) => `데모 정보 파일이 없습니다: ${file}`,
    notDemo: (file: string) => `개발 서버의 데모 정보 파일이 아닙니다: ${file}`,
  },
  webLogin: webLoginKo,
  system: systemKo,
  failures: {
    service: '서버',
    refused: (where: string) => `서버가 연결을 거부했습니다: ${where}`,
    unknownHost: (where: string) => `서버의 이름을 찾을 수 없습니다: ${where}`,
    untrusted: (where: string, code: string) =>
      `서버와 안전한 연결(TLS)을 맺을 수 없습니다: ${where} (${code})`,
    broken: (where: string, code: string) => `서버와의 연결이 끊겼습니다: ${where} (${code})`,
    silent: (where: string) => `서버가 제때 응답하지 않았습니다: ${where}`,
    outOfTime: (ms: number) => `제한 시간 ${ms / 1000}초를 초과했습니다.`,
    redirect: (where: string, status: number) =>
      `서버가 다른 주소로 이동하도록 응답했습니다(${status}). 인증 정보를 보호하기 위해 이동하지 않습니다: ${where}`,
    notUnderstood: (where: string, status: number) =>
      `창구 서버의 응답이 아닙니다(${status}): ${where}`,
    mayBeDone: '서버에서 이미 처리되었을 수 있습니다. 명령을 다시 실행하기 전에 확인하십시오.',
    onlyUnprinted: (what: string) =>
      `명령은 처리되었고 결과만 출력하지 못했습니다${what && `(${what})`}. 명령을 다시 실행하기 전에 확인하십시오.`,
    checkAddress: '주소가 맞는지, 서버가 실행 중인지 확인하십시오: --base-url, CHANGGU_BASE_URL',
    proxy: (variable: string) => `프록시를 거칩니다. 프록시도 확인하십시오: ${variable}`,
    retryAfter: (seconds: number) => `${seconds}초 후에 다시 시도하십시오.`,
    notUsable: (why: string) => `입력값을 사용할 수 없습니다: ${why}`,
    otherClient: '보관된 요청은 다른 서버, 환경 또는 클라이언트의 것입니다.',
    notEncrypted: (why: string) => `값을 암호화할 수 없습니다: ${why}`,
    fileGone: '파일의 보관 기간이 지났거나 삭제되었습니다.',
    fileDamaged: '받은 파일이 서버가 알린 것과 다릅니다. 저장하지 않았습니다.',
  },
  input: inputKo,
  open: {
    opened: '브라우저에서 엽니다.',
    unknown: (what: string) => `열 수 없는 페이지입니다: ${what}`,
  },
  pick: {
    none: (what: string) => `선택할 항목이 없습니다: ${what}`,
    noMatch: '일치하는 항목이 없습니다.',
    keys: (found: number, all: number) =>
      `↑↓로 이동, Enter로 선택, 글자를 입력하면 검색합니다. ${found}/${all}`,
    more: (command: string) => `    더 있습니다: ${command}`,
  },
  actions: {
    tokens: (count: number) => `토큰 ${count}개 사용`,
    irreversible: '되돌릴 수 없음',
    needsSession: (login: string) => `로그인 세션 필요(${login})`,
    selectsAccount: '계좌별로 실행',
    makesFile: '파일 생성',
    type: (name: string) => inputKo.types[name] ?? name,
  },
  jobs: {
    submitted: (id: string) => `접수했습니다: ${id}`,
    replayed: (id: string) => `같은 키로 이미 접수된 작업입니다: ${id}`,
    next: '다음 명령:',
    stoppedWaiting: (ids: string) => `대기를 중단했습니다. 작업은 계속됩니다: ${ids}`,
    waitTimedOut: (ids: string) => `대기 시간을 초과했습니다. 작업은 계속됩니다: ${ids}`,
    resultUnread: '작업이 성공했습니다. 결과를 보려면:',
    noAnswer: '서버가 응답하지 않습니다. 다시 시도하고 있습니다.',
    unheard: (ids: string) => `끝났는지 확인하지 못했습니다: ${ids}`,
    stillOpen: (ids: string) => `작업은 계속됩니다: ${ids}`,
    noneOpen: (envScope: string) => `${envScope} 환경에 진행 중인 작업이 없습니다. 제출하려면:`,
    notFound: (ids: string) => `찾을 수 없는 작업: ${ids}`,
    noJobId: (given: string) => `작업 ID가 아닙니다: ${given}`,
    ended: (id: string, status: string) => `작업 ${id}이(가) ${status} 상태로 끝났습니다`,
    cancelAsked: (id: string) => `취소를 요청했습니다. 곧 끝납니다: ${id}`,
    canceled: (id: string) => `취소했습니다: ${id}`,
    answerLost: '같은 요청을 다시 보내려면 다음 명령을 사용하십시오. 두 번 접수되지 않습니다.',
    answerLostUnstored:
      '다시 보낼 요청을 저장하지 못했습니다. 접수되었는지 다음 명령으로 확인하십시오.',
    nothingToResend: (key: string) => `다시 보낼 요청이 없습니다: ${key}`,
    otherAction: (action: string) => `보관된 요청은 다른 업무의 요청입니다: ${action}`,
    files: (count: number) => `파일 ${count}개가 있습니다.`,
    irreversibleAsk: (title: string, envScope: string) =>
      `${title}: ${envScope} 환경의 기관에 신청합니다. 되돌릴 수 없습니다.`,
    unknownAsk: (action: string, envScope: string) =>
      `${action}: ${envScope} 환경의 기관에 신청합니다. 확인하지 않은 업무이므로 되돌릴 수 없을 수 있습니다.`,
    allLinks: '기관의 모든 연결',
    allAccounts: '모든 계좌',
    linesBelow: (count: number) => `아래 ${count}줄은 화면 밖`,
    waitingFor: (open: number, all: number) => `작업 ${all}개 중 ${open}개를 기다리는 중`,
  },
  bulk: {
    started: (run: string) => `실행을 시작했습니다: ${run}`,
    resumed: (run: string) => `실행을 재개합니다: ${run}`,
    stopped: '실행이 중단되었습니다. 접수된 작업은 계속됩니다. 다음 명령으로 재개하십시오.',
    retryWith: '실패한 계좌만 다시 실행하려면:',
    progress: (ended: number, all: number, failed: number) =>
      `계좌 ${all}개 중 ${ended}개 완료${failed > 0 ? `, ${failed}개 실패` : ''}`,
    waitingForRoom: (seconds: number) => `동시 작업 수 한도로 ${seconds}초 후 이어서 제출합니다`,
    summary: (succeeded: number, failed: number, open: number) =>
      `성공 ${succeeded}, 실패 ${failed}, 미완료 ${open}`,
    noSuchRun: (run: string) => `실행 기록이 없습니다: ${run}`,
    noRuns: '실행 기록이 없습니다.',
    damaged: (file: string) => `실행 기록이 손상되었습니다: ${file}`,
    busy: (run: string, pid: number) => `다른 프로세스(${pid})가 진행 중인 실행입니다: ${run}`,
    pruned: (count: number) => `실행 기록 ${count}개를 삭제했습니다.`,
    otherService: (origin: string, envScope: string) =>
      `이 실행은 ${origin}의 ${envScope} 환경에서 시작했습니다. 같은 서버와 환경을 지정하십시오.`,
    finished: (run: string) => `이미 끝난 실행입니다: ${run}`,
    nothingToRetry: '다시 실행할 계좌가 없습니다.',
    notRetryable: (count: number) => `다시 실행해도 결과가 같은 실패 ${count}건은 제외했습니다.`,
    selectsNoAccount: (action: string) => `계좌를 선택하는 업무가 아닙니다: ${action}`,
    interrupted: (why: string) => `제출이 중간에 중단되었습니다: ${why}`,
  },
  files: {
    exists: (path: string) => `파일이 이미 있습니다: ${path}`,
    force: '덮어쓰려면 --force를 사용하십시오.',
    noRegular: (path: string) => `일반 파일이 아닙니다: ${path}`,
    noFolder: (path: string) => `디렉터리가 없습니다: ${path}`,
    binaryTerminal: '파일 내용을 터미널에 출력할 수 없습니다. --to로 파일을 지정하십시오.',
    none: '내려받을 파일이 없습니다.',
    jobOrRun: '작업 ID와 --run 중 하나를 지정하십시오.',
    oneOnly: '파일이 여러 개입니다. --name으로 하나를 선택하십시오.',
    noSuchFile: (name: string) => `파일이 없습니다: ${name}`,
  },
  receipts: {
    notVerified: (faulty: number, missing: string) =>
      [
        ...(faulty > 0 ? [`처리 확인서 ${faulty}개를 검증하지 못했습니다.`] : []),
        ...(missing === '' ? [] : [`빠진 번호가 있습니다: ${missing}`]),
      ].join(' '),
    noKeys: (file: string) => `공개키 파일이 아닙니다: ${file}`,
  },
  events: {
    goOn: '여기부터 이어서 보려면:',
    unreachable: '서버에 아직 연결할 수 없습니다. 다시 시도하고 있습니다.',
    disconnected: '연결이 끊겼습니다. 다시 연결하고 있습니다.',
    connected: '연결했습니다.',
    connectedAgain: '다시 연결했습니다. 빠진 이벤트는 없습니다.',
  },
  webhooks: {
    deleteAsk: (url: string, id: string) => `웹훅 ${url}(${id})와(과) 전송 기록을 삭제합니다.`,
    deliveryOrTime: '전송 ID와 --from 중 하나를 지정하십시오.',
    forwardTo: (url: string) =>
      `이벤트를 보낼 주소는 http:// 또는 https://로 시작해야 합니다: ${url}`,
    wrongSecret: 'CHANGGU_WEBHOOK_SECRET은 whsec_로 시작하는 시크릿이어야 합니다.',
    listening: (url: string, secret: string, publicKey: string) =>
      [
        `이벤트를 ${url}(으)로 보냅니다. Ctrl-C를 누르면 종료합니다.`,
        `시크릿: ${secret}`,
        `공개키: ${publicKey}`,
      ].join('\n'),
  },
  programs: {
    notInstalled: (name: string) => `${name}이(가) 설치되어 있지 않습니다.`,
    install: (name: string) => `설치: npm install --global ${name}`,
    notKept: (settings: string) =>
      `호스트는 프로필만으로 MCP 서버를 시작하므로 이 설정이 적용되지 않습니다: ${settings}. 이 설정을 저장한 프로필을 --profile로 지정하십시오.`,
    notKeptInProject: (settings: string) =>
      `호스트는 프로젝트의 changgu.toml이 적용되는 곳에서 MCP 서버를 시작하므로 이 설정이 적용되지 않습니다: ${settings}. changgu.toml을 수정하십시오.`,
  },
  accounts: {
    unlinkAsk: (provider: string, label: string, id: string) =>
      `${provider} 연결 "${label}"(${id})을(를) 해제하고 저장된 인증 정보를 삭제합니다.`,
    removeAsk: (accountNo: string, id: string) => `계좌 ${accountNo}(${id})의 등록을 삭제합니다.`,
    revokeAsk: (label: string, id: string) =>
      `키 "${label}"(${id})을(를) 폐기합니다. 되돌릴 수 없습니다.`,
    removeMemberAsk: (email: string, id: string) =>
      `구성원 ${email}(${id})의 계정을 닫습니다. 되돌릴 수 없습니다.`,
    handOverAsk: (email: string, id: string) =>
      `사용자 ${email}(${id})이(가) OWNER가 되고, 현재 사용자는 ADMIN이 됩니다.`,
    invited: (email: string) => `${email}(으)로 초대를 보냈습니다.`,
    handOverLink: '서버가 이메일을 보내지 않으므로 링크를 직접 전달하십시오. 한 번만 표시됩니다.',
    askOwnPassword: '비밀번호',
    confirmFactor: '비밀 키를 인증 앱에 등록한 뒤 다음 명령을 실행하십시오.',
    codesOnce:
      '복구 코드는 앱 대신 한 번씩 쓸 수 있으며 지금만 표시됩니다. 안전한 곳에 보관하십시오.',
    removeFactorAsk: '2단계 인증 수단을 삭제하고 이 로그인을 포함한 모든 로그인을 종료합니다.',
    noUserId: (given: string) => `사용자 ID가 아닙니다: ${given}`,
    noUser: (id: string) => `이 ID의 사용자가 없습니다: ${id}`,
    noKey: (id: string) => `이 ID의 키가 없습니다: ${id}`,
    deleteFilesAsk: (action: string, id: string) =>
      `작업 ${action}(${id})의 파일을 모두 삭제합니다.`,
    secretOnce: '시크릿은 지금 한 번만 표시됩니다. 안전한 곳에 보관하십시오.',
    secretLost:
      '이 출력에는 시크릿이 포함되지 않아 다시 확인할 수 없게 됩니다. 발급하지 않았습니다. -o json으로 다시 실행하십시오.',
    whichKind:
      '인증서(--cert, --key 또는 --p12), 로그인(--login), 동의(--consent-code) 중 하나를 지정하십시오.',
    wrongKind: (provider: string, kinds: string) =>
      `${provider}에서 사용할 수 없는 연결 방식입니다. 사용할 수 있는 방식: ${kinds}`,
    certificatesEnd: (count: number) =>
      `30일 안에 만료되거나 이미 만료된 인증서가 ${count}개 있습니다.`,
  },
  doctor: doctorKo,
};

export type Texts = typeof ko;
