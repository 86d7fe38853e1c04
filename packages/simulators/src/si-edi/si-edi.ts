import type { CertificateForm } from '../portal/certificate-login.ts';
import { certificateForm, signInByCertificate } from '../portal/certificate-login.ts';
import { html } from '../portal/html.ts';
import { labelTable } from '../portal/paging.ts';
import type { Look, Portal, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { SESSION_PAGE, sessionOutRoute, wrappedMessage } from '../portal/session-out.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { page, redirect, signedInOnArrival } from '../portal/visit.ts';
import { formatMoment } from '../seed/kst.ts';
import {
  CALLERS,
  forms,
  INSTITUTIONS,
  INSURANCES,
  notices,
  PAPERS,
  PETITIONS,
  questions,
  TASKS,
} from './board-data.ts';
import { fileRoutes } from './board-files.ts';
import type { Board } from './board-pages.ts';
import { boardRoutes, SORT_FIELD, TEXT_FIELDS, TOKEN } from './board-pages.ts';

const look: Look = {
  name: '사회보험 EDI',
  tokenField: TOKEN,
  cookie: 'EDISESSION',
  charset: (path) => (path.startsWith('/notice') ? 'euc-kr' : 'utf-8'),
  contentType: (charset) => `text/html;charset=${charset === 'euc-kr' ? 'EUC-KR' : 'UTF-8'}`,
  message: wrappedMessage,
  sessionPage: SESSION_PAGE,
  logout: { form: 'logoutForm', action: '/wbiz/login/logout.do' },
};

const CERTIFICATE: CertificateForm = {
  action: '/wbiz/login/certLogin.do',
  tokenField: TOKEN,
  nonceField: 'challenge',
  certificateField: 'signCert',
  signatureField: 'signValue',
};

const faqBoard: Board = {
  title: '자주하는 질문',
  menu: '자주하는 질문',
  postings: questions,
  keyFields: ['qstnSn'],
  search: [
    { name: 'srchCvlcptType', label: '민원유형', options: PETITIONS },
    { name: 'srchClsfCd', label: '보험구분', options: INSURANCES },
    { name: 'srchTypeCd', label: '이용자구분', options: CALLERS },
    ...TEXT_FIELDS,
    SORT_FIELD,
  ],
  paths: {
    init: '/faq/selectFaqInit.do',
    list: '/faq/selectFaqList.do',
    detail: '/faq/selectFaqDetail.do',
  },
};

const formBoard: Board = {
  title: '서식자료실',
  menu: '서식자료실',
  postings: forms,
  keyFields: ['bbsId', 'pstSn'],
  fileFields: ['bbsId', 'pstSn', 'atflId'],
  search: [
    { name: 'srchInsuCd', label: '보험구분', options: INSURANCES },
    { name: 'srchJobCd', label: '업무구분', options: TASKS },
    { name: 'srchPubapCd', label: '서식구분', options: PAPERS },
    { name: 'srchTxt', label: '검색어' },
  ],
  paths: {
    init: '/form/selectFormInit.do',
    list: '/form/selectFormList.do',
    detail: '/form/selectFormDetail.do',
    files: '/form/selectFormFileList.do',
  },
};

const noticeBoard: Board = {
  title: '기관별 공지사항',
  menu: '기관별 공지사항',
  postings: notices,
  keyFields: ['pstSn'],
  search: [{ name: 'srchInst', label: '기관', options: INSTITUTIONS }, ...TEXT_FIELDS],
  paths: {
    init: '/notice/selectNoticeInit.do',
    list: '/notice/selectNoticeList.do',
    detail: '/notice/selectNoticeDetail.do',
    files: '/notice/selectNoticeFileList.do',
  },
};

function mainPage(visit: Visit): Reply {
  const { signIn, arrives } = signedInOnArrival(visit, 'login');
  const content = html`${labelTable('tbl_view', [
    ['사업장명', signIn.member?.name ?? ''],
    ['로그인일시', formatMoment(signIn.at)],
  ])}`;
  return page('EDI 업무', content, arrives ? null : signIn);
}

/** The social-insurance EDI portal: boards of the eGov framework behind a certificate login. */
export function createSiEdi(base: PortalBase): Portal {
  return {
    ...base,
    look,
    routes: [
      get('/', () => redirect('/wbiz/login/loginForm.do')),
      get('/wbiz/login/loginForm.do', (visit) =>
        page('로그인', certificateForm(visit, CERTIFICATE)),
      ),
      post('/wbiz/login/certLogin.do', (visit) => {
        signInByCertificate(visit, CERTIFICATE);
        return redirect('/wbiz/main.do');
      }),
      post('/wbiz/login/logout.do', (visit) => {
        visit.sessions.logOut(visit.session);
        return redirect('/wbiz/login/loginForm.do');
      }),
      get('/wbiz/main.do', mainPage),
      ...[faqBoard, formBoard, noticeBoard].flatMap(boardRoutes),
      ...fileRoutes,
      sessionOutRoute,
    ],
  };
}
