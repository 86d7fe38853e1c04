import { Type } from 'typebox';
import type { Text } from '../action.ts';
import { currentPageNo, described } from './fields.ts';

const code = ({ ko, en }: Text) =>
  Type.String(
    described({
      ko: `${ko} 코드. 검색 화면 조회(list_init)에서 확인합니다.`,
      en: `${en} (${ko}); a code of the list's start page`,
    }),
  );

/** Search text and its alias: either, or both with the same value. */
const search = {
  srch_txt: Type.Optional(
    Type.String(described({ ko: '검색어.', en: 'Text to search for (검색어)' })),
  ),
  query: Type.Optional(
    Type.String(described({ ko: '검색어. srch_txt와 같습니다.', en: 'Alias of srch_txt' })),
  ),
};

/** The portal sends it along to lead back to the list; what it shows of an entry is the same on each page. */
const listPageNo = Type.Integer({
  minimum: 1,
  default: 1,
  ...described({
    ko: '돌아갈 목록의 페이지 번호(1부터). 응답은 달라지지 않습니다.',
    en: 'Page of the list that leads here, from 1; it does not change the answer',
  }),
});

const faqSearch = {
  current_page_no: Type.Optional(currentPageNo),
  srch_cvlcpt_type: Type.Optional(code({ ko: '민원유형', en: 'Kind of civil service' })),
  srch_clsf_cd: Type.Optional(code({ ko: '분류', en: 'Category' })),
  srch_type_cd: Type.Optional(code({ ko: '유형', en: 'Kind of question' })),
  srch_opt: Type.Optional(code({ ko: '검색조건', en: 'Where to search' })),
  ...search,
  srch_sort: Type.Optional(code({ ko: '정렬', en: 'Order' })),
};

const bbsId = Type.String({
  minLength: 1,
  ...described({ ko: '게시판 ID.', en: 'Board id (게시판 ID)' }),
});
const pstSn = Type.String({
  minLength: 1,
  ...described({ ko: '게시물 번호.', en: 'Post number (게시물 번호)' }),
});
const atflId = Type.String({
  minLength: 1,
  ...described({ ko: '첨부파일 ID.', en: 'Attachment bundle id (첨부파일 ID)' }),
});

export const noParams = Type.Object({});
export const faqListParams = Type.Object(faqSearch);
export const faqDetailParams = Type.Object({
  qstn_sn: Type.String({
    minLength: 1,
    ...described({ ko: '질문 번호.', en: 'Question number (질문 번호)' }),
  }),
  ...faqSearch,
  current_page_no: Type.Optional(listPageNo),
});
export const formListParams = Type.Object({
  current_page_no: Type.Optional(currentPageNo),
  srch_insu_cd: Type.Optional(code({ ko: '보험구분', en: 'Insurance' })),
  srch_job_cd: Type.Optional(code({ ko: '업무구분', en: 'Task' })),
  srch_pubap_cd: Type.Optional(code({ ko: '서식구분', en: 'Kind of form' })),
  ...search,
});
export const formDetailParams = Type.Object({ bbs_id: bbsId, pst_sn: pstSn });
export const formAttachmentsParams = Type.Object({
  bbs_id: bbsId,
  pst_sn: pstSn,
  atfl_id: atflId,
  current_page_no: Type.Optional(listPageNo),
});
export const noticeListParams = Type.Object({
  current_page_no: Type.Optional(currentPageNo),
  srch_inst: Type.Optional(code({ ko: '기관', en: 'Institution' })),
  srch_opt: Type.Optional(code({ ko: '검색조건', en: 'Where to search' })),
  ...search,
});
export const noticePostParams = Type.Object({ pst_sn: pstSn });
export const fileDownloadParams = Type.Object({
  atfl_id: atflId,
  // "1" and 1 are both accepted, so this one is a type array.
  atch_file_sn: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    ...described({ ko: '첨부파일 순번.', en: 'Number of the file in its bundle (첨부파일 순번)' }),
    examples: ['1', 1],
  }),
  dry_run: Type.Optional(
    Type.Boolean({
      default: true,
      ...described({
        ko: 'true이면 파일이 있는지만 확인하고, false이면 내려받습니다.',
        en: 'true: only check that the file exists; false: download it',
      }),
    }),
  ),
  include_base64: Type.Optional(
    Type.Boolean({
      default: false,
      ...described({
        ko: 'true이면 내려받은 파일(최대 10 MiB)을 base64로도 넣습니다.',
        en: 'true: also put the downloaded bytes into base64, up to 10 MiB',
      }),
    }),
  ),
});
