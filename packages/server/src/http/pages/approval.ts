import { ENV_SCOPES, type EnvScope, isLoopbackHost, type OAuthScope } from '@changgu/contract';
import type { Approver } from '../../oauth/approver.ts';
import type { AskedInteraction, AskedResource } from '../../oauth/interactions.ts';
import { PRESELECTED_ENV_SCOPE, preselectedScopes } from '../../oauth/preselection.ts';
import { escapeHtml, htmlPage } from '../../requests/html-page.ts';
import type { Language } from '../../requests/language.ts';
import type { ServiceError } from '../../rules/service-error.ts';

export interface ApprovalView extends Approver {
  readonly asked: AskedInteraction;
  readonly csrfToken: string;
  readonly problem: ServiceError | null;
}

type Words = Readonly<Record<Language, string>>;

const SCOPES: Readonly<Record<OAuthScope, Words>> = {
  'jobs:read': {
    ko: '작업과 그 결과(거래 내역, 증명서 등) 읽기',
    en: 'Read jobs and their results, such as transactions and certificates',
  },
  'jobs:submit': {
    ko: '기관에 조회 요청하기(토큰 사용), 조직의 작업 취소하기, 결과 파일 삭제하기',
    en: "Ask institutions for information, which uses tokens; cancel the organization's jobs and delete their files",
  },
  'jobs:irreversible': {
    ko: '되돌릴 수 없는 업무 실행하기: 발급, 신고, 제출',
    en: 'Do what cannot be undone: issue, file, submit',
  },
  'links:read': {
    ko: '연결된 기관과 계좌의 목록 읽기',
    en: 'Read the list of linked institutions and bank accounts',
  },
};

const ENVIRONMENTS: Readonly<Record<EnvScope, Words>> = {
  sandbox: { ko: '샌드박스: 모의 데이터', en: 'Sandbox: mock data' },
  real_test: {
    ko: '테스트: 테스트용 계정으로 기관에 접속',
    en: 'Real test: institutions, with test accounts',
  },
  production: { ko: '운영: 실제 데이터', en: 'Production: real data' },
};

const TEXTS = {
  ko: {
    title: '접근 권한 승인',
    asks: '이 프로그램이 창구 이용 권한을 요청합니다.',
    name: '프로그램이 밝힌 이름',
    host: '승인하면 이곳으로 돌아갑니다(확인됨)',
    device: '브라우저가 없는 기기',
    document: '프로그램의 문서 주소',
    resource: '이곳에서 사용할 수 있습니다',
    api: '창구 API',
    mcp: '창구 도구(MCP)',
    signedIn: '로그인한 사람',
    organization: '조직',
    scopes: '허용할 권한',
    irreversible: '되돌릴 수 없는 업무',
    environments: '환경',
    approve: '승인',
    deny: '거부',
    forbidden: '키를 발급할 수 있는 관리자만 승인할 수 있습니다.',
    local: '이 컴퓨터에서 실행 중인 프로그램입니다. 방금 직접 시작한 것이 아니라면 거부하십시오.',
  },
  en: {
    title: 'Approve access',
    asks: 'This program asks for access to Changgu.',
    name: 'Name, as the program says',
    host: 'Sends you back to (verified)',
    device: 'A device without a browser',
    document: 'Where the program describes itself',
    resource: 'It will work at',
    api: 'Changgu API',
    mcp: 'Changgu tools (MCP)',
    signedIn: 'Signed in as',
    organization: 'Organization',
    scopes: 'What it may do',
    irreversible: 'What cannot be undone',
    environments: 'Environments',
    approve: 'Approve',
    deny: 'Deny',
    forbidden: 'Only administrators, who may issue keys, can approve.',
    local: 'A program on this computer. Deny if you have not just started it yourself.',
  },
} as const;

/** What a client asks for, in plain words; irreversible acts are listed separately and never preselected. */
export function approvalPage(view: ApprovalView, language: Language): string {
  const text = TEXTS[language];
  const alert = view.problem
    ? `<p role="alert">${escapeHtml(view.problem.text(language))}</p>`
    : '';
  const hasChoice = view.organizations.length > 0;
  const choices = hasChoice ? choicesOf(view, language) : `<p role="alert">${text.forbidden}</p>`;
  const approve = hasChoice
    ? `<button name="decision" value="approve">${text.approve}</button>`
    : '';
  return htmlPage(
    language,
    text.title,
    `<h1>${text.title}</h1><p>${text.asks}</p>${clientOf(view, language)}${alert}<form method="post"><input type="hidden" name="csrf" value="${escapeHtml(view.csrfToken)}">${choices}<button name="decision" value="deny">${text.deny}</button>${approve}</form>`,
  );
}

function clientOf({ asked, email }: ApprovalView, language: Language): string {
  const text = TEXTS[language];
  const { clientId, clientName, redirectHost } = asked;
  const isLocal = redirectHost !== null && isLoopbackHost(redirectHost);
  const rows: readonly (readonly [string, string])[] = [
    [text.name, `<strong>${escapeHtml(clientName)}</strong>`],
    [text.host, `<code>${escapeHtml(redirectHost ?? text.device)}</code>`],
    ...(clientId.startsWith('https:')
      ? [[text.document, `<code>${escapeHtml(clientId)}</code>`] as const]
      : []),
    [text.resource, asked.resources.map((each) => resourceOf(each, language)).join('<br>')],
    [text.signedIn, escapeHtml(email)],
  ];
  const list = rows.map(([term, value]) => `<dt>${term}</dt><dd>${value}</dd>`).join('');
  return `<dl>${list}</dl>${isLocal ? `<p>${text.local}</p>` : ''}`;
}

function resourceOf({ address, name }: AskedResource, language: Language): string {
  const shown = typeof name === 'string' ? TEXTS[language][name] : escapeHtml(name.given);
  return `${shown} <code>${escapeHtml(address)}</code>`;
}

function choicesOf({ asked, organizations }: ApprovalView, language: Language): string {
  const text = TEXTS[language];
  const options = organizations.map(
    ({ id, name }) => `<option value="${id}">${escapeHtml(name)}</option>`,
  );
  const scopes = preselectedScopes(asked.scopes).map((scope) =>
    box('scope', scope, SCOPES[scope][language], true),
  );
  const irreversible = asked.scopes.includes('jobs:irreversible')
    ? `<fieldset class="warning"><legend>${text.irreversible}</legend>${box('scope', 'jobs:irreversible', SCOPES['jobs:irreversible'][language], false)}</fieldset>`
    : '';
  const environments = ENV_SCOPES.map((scope) =>
    box('env_scope', scope, ENVIRONMENTS[scope][language], scope === PRESELECTED_ENV_SCOPE),
  );
  return `<label>${text.organization}<select name="organization_id">${options.join('')}</select></label><fieldset><legend>${text.scopes}</legend>${scopes.join('')}</fieldset>${irreversible}<fieldset><legend>${text.environments}</legend>${environments.join('')}</fieldset>`;
}

function box(name: string, value: string, label: string, isChosen: boolean): string {
  return `<label><input type="checkbox" name="${name}" value="${value}"${isChosen ? ' checked' : ''}> ${label}</label>`;
}
