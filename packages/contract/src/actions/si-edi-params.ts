import { Type } from 'typebox';
import { currentPageNo } from './fields.ts';

const code = (description: string) =>
  Type.String({ description: `${description}; a code of the list's start page` });

/** Search text and its alias: either, or both with the same value. */
const search = {
  srch_txt: Type.Optional(Type.String({ description: 'Text to search for (검색어)' })),
  query: Type.Optional(Type.String({ description: 'Alias of srch_txt' })),
};

const faqSearch = {
  current_page_no: Type.Optional(currentPageNo),
  srch_cvlcpt_type: Type.Optional(code('Kind of civil service (민원유형)')),
  srch_clsf_cd: Type.Optional(code('Category (분류)')),
  srch_type_cd: Type.Optional(code('Kind of question (유형)')),
  srch_opt: Type.Optional(code('Where to search (검색조건)')),
  ...search,
  srch_sort: Type.Optional(code('Order (정렬)')),
};

const bbsId = Type.String({ minLength: 1, description: 'Board id (게시판 ID)' });
const pstSn = Type.String({ minLength: 1, description: 'Post number (게시물 번호)' });
const atflId = Type.String({ minLength: 1, description: 'Attachment bundle id (첨부파일 ID)' });

export const noParams = Type.Object({});
export const faqListParams = Type.Object(faqSearch);
export const faqDetailParams = Type.Object({
  qstn_sn: Type.String({ minLength: 1, description: 'Question number (질문 번호)' }),
  ...faqSearch,
});
export const formListParams = Type.Object({
  current_page_no: Type.Optional(currentPageNo),
  srch_insu_cd: Type.Optional(code('Insurance (보험구분)')),
  srch_job_cd: Type.Optional(code('Task (업무구분)')),
  srch_pubap_cd: Type.Optional(code('Kind of form (서식구분)')),
  ...search,
});
export const formDetailParams = Type.Object({ bbs_id: bbsId, pst_sn: pstSn });
export const formAttachmentsParams = Type.Object({
  bbs_id: bbsId,
  pst_sn: pstSn,
  atfl_id: atflId,
  current_page_no: Type.Optional(currentPageNo),
});
export const noticeListParams = Type.Object({
  current_page_no: Type.Optional(currentPageNo),
  srch_inst: Type.Optional(code('Institution (기관)')),
  srch_opt: Type.Optional(code('Where to search (검색조건)')),
  ...search,
});
export const noticePostParams = Type.Object({ pst_sn: pstSn });
export const fileDownloadParams = Type.Object({
  atfl_id: atflId,
  // "1" and 1 are both accepted, so this one is a type array.
  atch_file_sn: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    description: 'Number of the file in its bundle (첨부파일 순번)',
    examples: ['1', 1],
  }),
  dry_run: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'true: only check that the file exists; false: download it',
    }),
  ),
  include_base64: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: also put the downloaded bytes into base64, up to 10 MiB',
    }),
  ),
});
