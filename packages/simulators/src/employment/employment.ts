import type { Member } from '../demo/members.ts';
import type { CertificateForm } from '../portal/certificate-login.ts';
import {
  certificateForm,
  checkCertificateLogin,
  signInMember,
} from '../portal/certificate-login.ts';
import { html } from '../portal/html.ts';
import { labelTable } from '../portal/paging.ts';
import type { Look, Portal, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { SESSION_PAGE, sessionOutRoute, wrappedMessage } from '../portal/session-out.ts';
import type { SignIn } from '../portal/sessions.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import {
  field,
  page,
  prose,
  redirect,
  signedInForData,
  signedInOnArrival,
} from '../portal/visit.ts';
import { hyphenateBusinessNumber } from '../seed/business-number.ts';
import { formatMoment } from '../seed/kst.ts';

const TOKEN = '_csrf';
const IDLE_MS = 20 * 60_000;

const look: Look = {
  name: '고용지원포털',
  tokenField: TOKEN,
  cookie: 'JSESSIONID',
  charset: () => 'utf-8',
  contentType: () => 'text/html;charset=UTF-8',
  message: wrappedMessage,
  sessionPage: SESSION_PAGE,
  logout: { form: 'logoutForm', action: '/login/logout.do' },
};

const CERTIFICATE: CertificateForm = {
  action: '/login/certLogin.do',
  tokenField: TOKEN,
  nonceField: 'svrNonce',
  certificateField: 'certData',
  signatureField: 'signData',
};

const MEMBER_TYPES: Record<string, string> = { BE904: '기업회원', BE902: '사무대행기관' };

/** What the person chose at login, shown on the pages after it. */
interface Workplace {
  memberType: string;
  managementNumber: string | null;
  agencyNumber: string | null;
}

const workplaces = new WeakMap<SignIn, Workplace>();

function loginForm(visit: Visit): Reply {
  const more = html`<dl>
<dt><label for="mbrTpCd">회원구분</label></dt><dd><select id="mbrTpCd" name="mbrTpCd"><option value="BE904" selected>기업회원</option><option value="BE902">사무대행기관</option></select></dd>
<dt><label for="bizrNo">사업자등록번호</label></dt><dd><input type="text" id="bizrNo" name="bizrNo" maxlength="10"></dd>
<dt><label for="bizMngNo">사업장관리번호</label></dt><dd><input type="text" id="bizMngNo" name="bizMngNo" maxlength="11"></dd>
<dt><label for="isoaNo">대행기관번호</label></dt><dd><input type="text" id="isoaNo" name="isoaNo" maxlength="10"></dd>
</dl>`;
  return page('로그인', certificateForm(visit, CERTIFICATE, more));
}

function checkAgency(member: Member, agencyNumber: string): void {
  if (agencyNumber === '') throw refuse('사무대행기관번호를 입력하여 주십시오.', 'E3104');
  if (member.agencyNumber === null || member.agencyNumber !== agencyNumber) {
    throw refuse('사무대행기관 정보가 일치하지 않습니다.', 'E3105');
  }
}

function checkWorkplaceNumber(member: Member, memberType: string, number: string): void {
  if (number === '') return;
  const wellFormed = /^\d{11}$/.test(number);
  const own = number.startsWith(member.businessNumber ?? '-');
  if (!wellFormed || (memberType === 'BE904' && !own)) {
    throw refuse('사업장관리번호가 올바르지 않습니다.', 'E3103');
  }
}

function chosenWorkplace(visit: Visit, member: Member): Workplace {
  const memberType = field(visit, 'mbrTpCd') || 'BE904';
  if (!Object.hasOwn(MEMBER_TYPES, memberType))
    throw refuse('회원구분이 올바르지 않습니다.', 'E3101');
  if (member.businessNumber === null) {
    throw refuse('기업회원으로 등록되지 않은 인증서입니다.', 'E3102');
  }
  const businessNumber = field(visit, 'bizrNo');
  if (businessNumber !== '' && businessNumber !== member.businessNumber) {
    throw refuse('사업자등록번호가 인증서와 일치하지 않습니다.', 'E3106');
  }
  const agencyNumber = field(visit, 'isoaNo');
  if (memberType === 'BE902') checkAgency(member, agencyNumber);
  const managementNumber = field(visit, 'bizMngNo');
  checkWorkplaceNumber(member, memberType, managementNumber);
  return {
    memberType,
    managementNumber: managementNumber || null,
    agencyNumber: memberType === 'BE902' ? agencyNumber : null,
  };
}

function logIn(visit: Visit): Reply {
  const presented = checkCertificateLogin(visit, CERTIFICATE, field(visit, 'signData'));
  const workplace = chosenWorkplace(visit, presented.registered.member);
  const signIn = signInMember(visit, presented);
  workplaces.set(signIn, workplace);
  return redirect('/main/main.do', {
    EI_SSO: visit.session.id.slice(8, 24),
    MBR_TP: workplace.memberType,
  });
}

function hyphenateManagementNumber(number: string | null): string {
  if (number === null) return '';
  return `${hyphenateBusinessNumber(number.slice(0, 10))}-${number.slice(10)}`;
}

function memberTypeText(workplace: Workplace): string {
  return `${MEMBER_TYPES[workplace.memberType]}(${workplace.memberType})`;
}

function workplaceOf(signIn: SignIn): { member: Member; workplace: Workplace } {
  const workplace = workplaces.get(signIn);
  if (!signIn.member || !workplace) throw new Error('a sign-in without member or workplace');
  return { member: signIn.member, workplace };
}

function mainPage(visit: Visit): Reply {
  const { signIn, arrives } = signedInOnArrival(visit, 'login');
  const { member, workplace } = workplaceOf(signIn);
  const content = html`<meta name="_csrf" content="${visit.session.csrf}">
${labelTable('tbl_view', [
  ['사업장명', html`${prose(visit, member.name)}`],
  ['사업자등록번호', hyphenateBusinessNumber(member.businessNumber ?? '')],
  ['사업장관리번호', hyphenateManagementNumber(workplace.managementNumber)],
  ['회원구분', memberTypeText(workplace)],
  ['대행기관번호', workplace.agencyNumber ?? ''],
])}`;
  return page('나의 고용지원', content, arrives ? null : signIn);
}

function sessionInfo(visit: Visit): Reply {
  const signIn = signedInForData(visit, 'login');
  const { member, workplace } = workplaceOf(signIn);
  const content = labelTable('tbl_view', [
    ['로그인상태', '로그인'],
    ['로그인방식', '공동인증서'],
    ['사업자등록번호', hyphenateBusinessNumber(member.businessNumber ?? '')],
    ['사업장관리번호', hyphenateManagementNumber(workplace.managementNumber)],
    ['회원구분', memberTypeText(workplace)],
    ['로그인일시', formatMoment(signIn.at)],
    ['세션만료예정', formatMoment(visit.now + IDLE_MS)],
  ]);
  return page('접속정보', content, signIn);
}

/** The employment portal: certificate login of workplaces and agencies, and who is logged in. */
export function createEmployment(base: PortalBase): Portal {
  return {
    ...base,
    look,
    routes: [
      get('/', () => redirect('/login/loginForm.do')),
      get('/login/loginForm.do', loginForm),
      post('/login/certLogin.do', logIn),
      get('/main/main.do', mainPage),
      get('/mypage/sessionInfo.do', sessionInfo),
      post('/login/logout.do', (visit) => {
        visit.sessions.logOut(visit.session);
        return redirect('/login/loginForm.do');
      }),
      sessionOutRoute,
    ],
  };
}
