import { Type } from 'typebox';
import { defineAction, type InstitutionDefinition } from '../define-action.ts';
import {
  count,
  currentPageNo,
  described,
  maybeText,
  rowCount,
  rowIndex,
  success,
  text,
} from './fields.ts';
import { certificateApplications } from './tax-portal-certificates.ts';
import { taxSearches } from './tax-portal-searches.ts';

const LOGIN = 'tax_portal.s1.login';

/** What the endpoints of the session have in common. */
const session = { screenId: null, certificateCode: null, envelope: false } as const;

const login = defineAction({
  id: LOGIN,
  title: { ko: '국세 포털 로그인', en: 'Log in to the tax portal' },
  description: {
    ko: '연결된 인증서 또는 아이디로 국세 포털에 로그인하여 세션을 만듭니다. 조회와 발급 전에 같은 account_link_id로 먼저 실행해야 합니다.',
    en: 'Logs in with the linked certificate or id and keeps the session. Run it first, with the same account_link_id, before searching or issuing.',
  },
  params: Type.Object({}),
  result: Type.Object({
    success,
    session_expires_at: text('When the session idles out, ISO-8601 with +09:00'),
  }),
  link: 'optional',
  timeoutSeconds: 60,
  toolName: 'tax_portal_login',
  taxPortal: { method: 'POST', path: '/a/s1/login', ...session },
});

const userInfo = defineAction({
  id: 'tax_portal.s1.user_info',
  title: { ko: '국세 포털 사용자 정보', en: 'Tax portal user' },
  description: {
    ko: '국세 포털에 로그인한 사용자의 이름, 사업자등록번호와 회원 유형을 조회합니다.',
    en: 'Reads name, business registration number and member type of the logged-in user.',
  },
  params: Type.Object({}),
  result: Type.Object({
    success,
    user_name: text('Name of the user (사용자명)'),
    business_registration_no: maybeText('Business registration number, 10 digits'),
    member_type: text('Member type that the portal prints (회원유형)'),
  }),
  needsSession: true,
  loginAction: LOGIN,
  timeoutSeconds: 60,
  toolName: 'tax_portal_user_info',
  taxPortal: { method: 'GET', path: '/a/s1/user/info', ...session },
});

const certificatePrint = defineAction({
  id: 'tax_portal.c1.certificate_print',
  title: { ko: '발급된 증명 출력', en: 'Print an issued certificate' },
  description: {
    ko: '이미 발급된 증명의 PDF를 다시 내려받습니다. 새로 신청하지 않습니다.',
    en: 'Fetches the PDF of a certificate that has been issued. Applies for nothing.',
  },
  params: Type.Object({
    issue_no: Type.String(
      described({
        ko: '발급번호. 국세 포털에 표시된 그대로 넣습니다.',
        en: 'Issue number (발급번호), as the portal prints it',
      }),
    ),
  }),
  result: Type.Object({ success, issue_no: text('Issue number (발급번호)') }),
  needsSession: true,
  loginAction: LOGIN,
  toolName: 'tax_portal_print',
  file: { format: 'pdf', task: '증명' },
});

const certificatesList = defineAction({
  id: 'tax_portal.c1.certificates_list',
  title: { ko: '증명 신청 목록', en: 'Certificate applications' },
  description: {
    ko: '지금까지 신청한 증명의 접수번호와 처리 상태를 최근 순으로 조회합니다. 한 페이지에 10건입니다.',
    en: 'Lists certificate applications with receipt number and state, newest first, ten a page.',
  },
  params: Type.Object({ current_page_no: Type.Optional(currentPageNo) }),
  result: Type.Object({
    success,
    current_page_no: Type.Integer({ minimum: 1, description: 'Page that was read' }),
    total_count: count('Applications on all pages'),
    row_count: rowCount,
    items: Type.Array(
      Type.Object({
        row_index: rowIndex,
        receipt_no: text('Receipt number (접수번호)'),
        certificate_code: text('Code of the certificate (민원코드)'),
        certificate_name: text('Name of the certificate (민원명)'),
        applied_at: maybeText('Time of the application, ISO-8601 with +09:00 (신청일시)'),
        status: text('State that the portal prints (처리상태)'),
        issue_no: maybeText('Issue number (발급번호)'),
        copies: count('Copies (수량)'),
      }),
      { description: 'Applications of the page' },
    ),
  }),
  needsSession: true,
  loginAction: LOGIN,
  toolName: 'tax_portal_certificates',
  taxPortal: {
    method: 'POST',
    path: '/a/c1/certificates-list',
    screenId: null,
    certificateCode: null,
    envelope: true,
  },
});

export const taxPortal: InstitutionDefinition = {
  provider: 'tax_portal',
  title: { ko: '국세 포털', en: 'National tax portal' },
  kind: 'tax',
  linkTypes: ['certificate', 'id_password'],
  consentFeatures: [],
  actions: [
    login,
    userInfo,
    certificatesList,
    certificatePrint,
    ...certificateApplications,
    ...taxSearches,
  ],
};
