/** A board of the EDI portal: the paths of its pages and the field names of its search form. */
export interface Board {
  readonly page: string;
  readonly initPath: string;
  /** Name of the param → name of the field on the page. */
  readonly search: Readonly<Record<string, string>>;
}

const TEXT = { srch_txt: 'srchTxt' };
const PAGE = { current_page_no: 'currentPageNo' };

export const FAQ: Board = {
  page: 'faqs',
  initPath: '/faq/selectFaqInit.do',
  search: {
    ...PAGE,
    srch_cvlcpt_type: 'srchCvlcptType',
    srch_clsf_cd: 'srchClsfCd',
    srch_type_cd: 'srchTypeCd',
    srch_opt: 'srchOpt',
    ...TEXT,
    srch_sort: 'srchSort',
  },
};

export const FORMS: Board = {
  page: 'forms',
  initPath: '/form/selectFormInit.do',
  search: {
    ...PAGE,
    srch_insu_cd: 'srchInsuCd',
    srch_job_cd: 'srchJobCd',
    srch_pubap_cd: 'srchPubapCd',
    ...TEXT,
  },
};

export const NOTICES: Board = {
  page: 'notices.institutions',
  initPath: '/notice/selectNoticeInit.do',
  search: { ...PAGE, srch_inst: 'srchInst', srch_opt: 'srchOpt', ...TEXT },
};
