import type { X509Certificate } from 'node:crypto';
import { Attempts } from '../portal/attempts.ts';
import type { CertificateForm, PresentedCertificate } from '../portal/certificate-login.ts';
import {
  certificateForm,
  checkCertificateLogin,
  signInMember,
} from '../portal/certificate-login.ts';
import { html, scriptString } from '../portal/html.ts';
import { labelTable } from '../portal/paging.ts';
import type { PasswordForm } from '../portal/password-login.ts';
import { passwordForm, signInByPassword } from '../portal/password-login.ts';
import type { Look, Portal, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, prose, redirect } from '../portal/visit.ts';
import { hyphenateBusinessNumber } from '../seed/business-number.ts';
import { formatMoment } from '../seed/kst.ts';
import { Applications } from './applications.ts';
import { certificateRoutes } from './certificate-pages.ts';
import { salesRoutes } from './sales-pages.ts';
import { statementRoutes } from './statement-pages.ts';
import { arrivingMember, memberAt, TOKEN } from './tax-desk.ts';

const look: Look = {
  name: '국세포털',
  tokenField: TOKEN,
  cookie: 'TXPPsessionID',
  charset: () => 'utf-8',
  contentType: () => 'text/html;charset=UTF-8',
  message: (text, code) =>
    html`<div id="alertMessage" data-type="alert">${text}</div><span class="err_cd">${code}</span>
<script type="text/javascript">alert(${scriptString(text)});history.back();</script>`,
  logout: { form: 'logoutForm', action: '/logout' },
};

const CERTIFICATE: CertificateForm = {
  action: '/login/cert',
  tokenField: TOKEN,
  nonceField: 'svrNonce',
  certificateField: 'certDer',
  signatureField: 'logSgnt',
};
const PASSWORD: PasswordForm = {
  action: '/login/id',
  tokenField: TOKEN,
  idField: 'userId',
  passwordField: 'userPw',
};
const MEMBER_KINDS = {
  corporation: '법인사업자',
  sole_proprietor: '개인사업자',
  individual: '개인',
};

function loginPage(visit: Visit): Reply {
  const random = hidden('randomEnc', '');
  return page(
    '로그인',
    html`${certificateForm(visit, CERTIFICATE, random)}${passwordForm(visit, PASSWORD)}`,
  );
}

/** logSgnt is base64 of nonce$serial$yyyyMMddHHmmss$signature; the last part is the signature. */
function signatureIn(logSgnt: string, nonce: string): { serial: string; signature: string } {
  const parts = Buffer.from(logSgnt, 'base64').toString().split('$');
  const [signedNonce, serial = '', time = '', signature = ''] = parts;
  if (parts.length !== 4 || signedNonce !== nonce || !/^\d{14}$/.test(time)) {
    throw refuse('전자서명 형식이 올바르지 않습니다.', 'E1107');
  }
  return { serial, signature };
}

/** In hexadecimal, with or without zeros in front. */
function isSerialOf({ serialNumber }: X509Certificate, serial: string): boolean {
  return /^[0-9a-f]{1,64}$/i.test(serial) && BigInt(`0x${serial}`) === BigInt(`0x${serialNumber}`);
}

function checkRandom(visit: Visit, { registered }: PresentedCertificate): void {
  const sent = field(visit, 'randomEnc');
  if (sent === '' || registered.randomVid === null) return;
  if (sent !== registered.randomVid.toString('base64')) {
    throw refuse('인증서의 본인확인 정보가 일치하지 않습니다.', 'E1108');
  }
}

function logInByCertificate(visit: Visit): Reply {
  const { serial, signature } = signatureIn(field(visit, 'logSgnt'), field(visit, 'svrNonce'));
  const presented = checkCertificateLogin(visit, CERTIFICATE, signature);
  if (!isSerialOf(presented.certificate, serial)) {
    throw refuse('인증서 일련번호가 일치하지 않습니다.', 'E1109');
  }
  checkRandom(visit, presented);
  signInMember(visit, presented);
  return redirect('/user/info');
}

const METHODS = { certificate: '공동인증서', password: '아이디', consent: '', quick_inquiry: '' };

function userInfo(visit: Visit): Reply {
  const { signIn, member, arrives } = arrivingMember(visit);
  const number = member.businessNumber ? hyphenateBusinessNumber(member.businessNumber) : '-';
  const content = html`${labelTable('tbl_info', [
    ['사용자명', html`${prose(visit, member.representative)}`],
    ['상호(법인명)', html`${prose(visit, member.name)}`],
    ['사업자등록번호', number],
    ['회원유형', MEMBER_KINDS[member.kind]],
    ['로그인방법', METHODS[signIn.method]],
    ['최종접속일시', formatMoment(signIn.at)],
  ])}`;
  return page('사용자 정보', content, arrives ? null : signIn);
}

/** Who is logged in, as the screens' scripts ask for it: XML in, XML out. */
function permission(visit: Visit): Reply {
  if (!/^<map\b/.test(visit.body.trim())) throw refuse('요청 형식이 올바르지 않습니다.', 'T9001');
  const { member } = memberAt(visit);
  const content = html`<map id="resultMsg"><result>S</result><userClCd>${MEMBER_KINDS[member.kind]}</userClCd><tin>${member.businessNumber ?? ''}</tin></map>`;
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${content.markup}\n`);
  return {
    kind: 'file',
    bytes: body,
    contentType: 'application/xml; charset=UTF-8',
    disposition: 'inline',
  };
}

/** The tax portal: logins, certificate applications with their PDFs, and searches. */
export function createTaxPortal(base: PortalBase): Portal {
  const attempts = new Attempts();
  return {
    ...base,
    look,
    routes: [
      get('/', () => redirect('/login')),
      get('/login', loginPage),
      post('/login/cert', logInByCertificate),
      post('/login/id', (visit) => {
        signInByPassword(visit, PASSWORD, attempts);
        return redirect('/user/info');
      }),
      post('/logout', (visit) => {
        visit.sessions.logOut(visit.session);
        return redirect('/login');
      }),
      get('/user/info', userInfo),
      { ...post('/permission.do', permission), checksToken: false },
      ...certificateRoutes(new Applications()),
      ...salesRoutes,
      ...statementRoutes,
    ],
  };
}
