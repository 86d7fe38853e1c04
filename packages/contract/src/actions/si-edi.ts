import type { TObject } from 'typebox';
import {
  type ActionDefinition,
  defineAction,
  type InstitutionDefinition,
  type Text,
} from '../define-action.ts';
import * as params from './si-edi-params.ts';
import * as results from './si-edi-results.ts';

const LOGIN = 'si_edi.auth.session.login';

interface Resource {
  readonly suffix: string;
  readonly toolName: string;
  readonly title: Text;
  readonly description: Text;
  readonly params: TObject;
  readonly result: TObject;
  readonly file?: ActionDefinition['file'];
}

/** A reading action of the EDI portal; all of them need the login session of the same link. */
function resource({ suffix, ...rest }: Resource): ActionDefinition {
  return defineAction({
    id: `si_edi.b1.resources.${suffix}`,
    needsSession: true,
    loginAction: LOGIN,
    ...rest,
  });
}

const login = defineAction({
  id: LOGIN,
  title: { ko: '사회보험 EDI 로그인', en: 'Log in to the social-insurance EDI portal' },
  description: {
    ko: '등록된 공동인증서로 사회보험 EDI 포털에 로그인합니다. 자료실 조회 전에 같은 account_link_id로 먼저 실행해야 합니다. 세션은 20분 동안 사용하지 않으면 끝납니다.',
    en: 'Logs in with the registered certificate. Run it first, with the same account_link_id, before reading anything. A session ends after 20 idle minutes.',
  },
  params: params.noParams,
  result: results.loginResult,
  link: 'optional',
  timeoutSeconds: 60,
  toolName: 'si_edi_login',
});

const faqs = [
  resource({
    suffix: 'faqs.list_init',
    toolName: 'si_edi_faq_search_form',
    title: { ko: '자주 묻는 질문 검색 화면', en: 'FAQ search page' },
    description: {
      ko: '자주 묻는 질문 목록의 시작 화면을 읽어 검색 항목과 코드를 확인합니다.',
      en: 'Reads the start page of the FAQ list: what can be searched, and with which codes.',
    },
    params: params.noParams,
    result: results.listInitResult,
  }),
  resource({
    suffix: 'faqs.list',
    toolName: 'si_edi_faq_list',
    title: { ko: '자주 묻는 질문 목록', en: 'List FAQ' },
    description: {
      ko: '자주 묻는 질문을 검색합니다. 한 페이지에 10건이며, 결과가 없으면 빈 목록입니다.',
      en: 'Searches the FAQ, ten rows a page. An empty result is an empty list.',
    },
    params: params.faqListParams,
    result: results.faqListResult,
  }),
  resource({
    suffix: 'faqs.detail',
    toolName: 'si_edi_faq_read',
    title: { ko: '자주 묻는 질문 상세', en: 'Read an FAQ entry' },
    description: {
      ko: '목록에서 얻은 질문 번호(qstn_sn)로 질문과 답변을 읽습니다.',
      en: 'Reads question and answer by the qstn_sn of the list.',
    },
    params: params.faqDetailParams,
    result: results.faqDetailResult,
  }),
];

const forms = [
  resource({
    suffix: 'forms.list_init',
    toolName: 'si_edi_form_search_form',
    title: { ko: '서식 자료실 검색 화면', en: 'Form library search page' },
    description: {
      ko: '서식 자료실의 시작 화면을 읽어 검색 항목과 코드를 확인합니다.',
      en: 'Reads the start page of the form library: what can be searched, and with which codes.',
    },
    params: params.noParams,
    result: results.listInitResult,
  }),
  resource({
    suffix: 'forms.list',
    toolName: 'si_edi_form_list',
    title: { ko: '서식 자료실 목록', en: 'List forms' },
    description: {
      ko: '서식 자료실을 검색합니다. 한 페이지에 10건이며, 결과가 없으면 빈 목록입니다.',
      en: 'Searches the form library, ten rows a page. An empty result is an empty list.',
    },
    params: params.formListParams,
    result: results.formListResult,
  }),
  resource({
    suffix: 'forms.detail',
    toolName: 'si_edi_form_read',
    title: { ko: '서식 자료실 상세', en: 'Read a form post' },
    description: {
      ko: '목록에서 얻은 게시판 ID와 게시물 번호로 서식 게시물을 읽습니다.',
      en: 'Reads a post of the form library by the bbs_id and pst_sn of the list.',
    },
    params: params.formDetailParams,
    result: results.formDetailResult,
  }),
  resource({
    suffix: 'forms.attachments',
    toolName: 'si_edi_form_attachments',
    title: { ko: '서식 첨부파일 목록', en: 'List the files of a form post' },
    description: {
      ko: '서식 게시물에 첨부된 파일의 목록을 조회합니다. 내려받을 때는 files.download를 사용합니다.',
      en: 'Lists the files attached to a form post. To download one use files.download.',
    },
    params: params.formAttachmentsParams,
    result: results.formAttachmentsResult,
  }),
];

const notices = [
  resource({
    suffix: 'notices.institutions.list_init',
    toolName: 'si_edi_notice_search_form',
    title: { ko: '기관 공지사항 검색 화면', en: 'Notice search page' },
    description: {
      ko: '기관 공지사항의 시작 화면을 읽어 검색 항목과 코드를 확인합니다.',
      en: 'Reads the start page of the notices: what can be searched, and with which codes.',
    },
    params: params.noParams,
    result: results.listInitResult,
  }),
  resource({
    suffix: 'notices.institutions.list',
    toolName: 'si_edi_notice_list',
    title: { ko: '기관 공지사항 목록', en: 'List notices' },
    description: {
      ko: '기관 공지사항을 검색합니다. 한 페이지에 10건이며, 결과가 없으면 빈 목록입니다.',
      en: 'Searches the notices of the institutions, ten rows a page. An empty result is an empty list.',
    },
    params: params.noticeListParams,
    result: results.noticeListResult,
  }),
  resource({
    suffix: 'notices.institutions.detail',
    toolName: 'si_edi_notice_read',
    title: { ko: '기관 공지사항 상세', en: 'Read a notice' },
    description: {
      ko: '목록에서 얻은 게시물 번호(pst_sn)로 공지사항을 읽습니다.',
      en: 'Reads a notice by the pst_sn of the list.',
    },
    params: params.noticePostParams,
    result: results.noticeDetailResult,
  }),
  resource({
    suffix: 'notices.institutions.attachments',
    toolName: 'si_edi_notice_attachments',
    title: { ko: '기관 공지사항 첨부파일 목록', en: 'List the files of a notice' },
    description: {
      ko: '공지사항에 첨부된 파일의 목록을 조회합니다. 내려받을 때는 files.download를 사용합니다.',
      en: 'Lists the files attached to a notice. To download one use files.download.',
    },
    params: params.noticePostParams,
    result: results.noticeAttachmentsResult,
  }),
];

const files = [
  resource({
    suffix: 'files.download',
    toolName: 'si_edi_file_download',
    title: { ko: '첨부파일 내려받기', en: 'Download an attachment' },
    description: {
      ko: '첨부파일이 있는지 확인하거나 내려받습니다. 기본값은 존재 확인이며, dry_run이 false일 때만 내려받습니다.',
      en: 'Checks that an attachment exists, or downloads it: only when dry_run is false.',
    },
    params: params.fileDownloadParams,
    result: results.fileDownloadResult,
    file: { format: 'any', task: '첨부파일' },
  }),
];

export const siEdi: InstitutionDefinition = {
  provider: 'si_edi',
  title: { ko: '사회보험 EDI 포털', en: 'Social-insurance EDI portal' },
  kind: 'social_insurance',
  linkTypes: ['certificate'],
  consentFeatures: [],
  actions: [login, ...faqs, ...forms, ...notices, ...files],
};
