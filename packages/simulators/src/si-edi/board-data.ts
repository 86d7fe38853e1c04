import { dayFrom, formatDay } from '../seed/kst.ts';
import { seededRandom } from '../seed/random.ts';

export interface Attachment {
  atflId: string;
  atchFileSn: string;
  fileName: string;
  kind: 'txt' | 'xlsx' | 'pdf';
  /** Listed, but the file itself is no longer there. */
  lost: boolean;
}

/** One posting of any board. */
export interface Posting {
  /** qstnSn of a question, pstSn elsewhere. */
  number: string;
  /** Board id; '' where the board has none. */
  bbsId: string;
  title: string;
  /** Codes by search field name. */
  codes: Record<string, string>;
  category: string;
  writer: string;
  registeredOn: string;
  views: number;
  paragraphs: readonly string[];
  attachments: readonly Attachment[];
}

export type Options = readonly (readonly [code: string, text: string])[];

export const INSURANCES: Options = [
  ['NPS', '국민연금'],
  ['NHI', '건강보험'],
  ['EI', '고용보험'],
  ['WCI', '산재보험'],
];
export const PETITIONS: Options = [
  ['01', '자격'],
  ['02', '보험료'],
  ['03', '급여'],
  ['04', '증명서'],
];
export const CALLERS: Options = [
  ['B', '사업장'],
  ['P', '개인'],
];
export const TASKS: Options = [
  ['ACQ', '취득'],
  ['LOSS', '상실'],
  ['CHG', '변경'],
  ['PAY', '보수총액'],
];
export const PAPERS: Options = [
  ['11', '신고서'],
  ['12', '신청서'],
  ['13', '확인서'],
];
export const INSTITUTIONS: Options = [
  ['NPS', '국민연금공단'],
  ['NHIS', '국민건강보험공단'],
  ['COMWEL', '근로복지공단'],
];

const ASKED = [
  '신고 기한은 언제까지입니까?',
  '처리 결과는 어디에서 확인합니까?',
  '정정은 어떻게 합니까?',
];
const NEWS = ['시스템 정기점검 안내', '신고기간 안내', '서식 개정 안내', '전자고지 신청 안내'];

function registration(seed: string): string {
  const random = seededRandom(`registered:${seed}`);
  return formatDay(dayFrom(2024, 1, 1) + random.int(0, 700), '-');
}

function attachments(seed: string, names: readonly string[], lostFirst = false): Attachment[] {
  const atflId = `ATFL${seededRandom(`file:${seed}`).digits(12)}`;
  return names.map((name, index) => {
    const kind = name.endsWith('.xlsx') ? 'xlsx' : name.endsWith('.pdf') ? 'pdf' : 'txt';
    return {
      atflId,
      atchFileSn: String(index + 1),
      fileName: name,
      kind,
      lost: lostFirst && index === 0,
    };
  });
}

function question(index: number): Posting {
  const random = seededRandom(`faq:${index}`);
  const [clsf, insurance] = random.pick(INSURANCES);
  const [petition, petitionText] = random.pick(PETITIONS);
  const [caller, callerText] = random.pick(CALLERS);
  return {
    number: `Q${String(index).padStart(6, '0')}`,
    bbsId: '',
    title: `[${insurance}] ${petitionText} ${random.pick(ASKED)}`,
    codes: { srchCvlcptType: petition, srchClsfCd: clsf, srchTypeCd: caller },
    category: `${insurance} > ${petitionText}`,
    writer: '고객센터',
    registeredOn: registration(`faq:${index}`),
    views: random.int(10, 9000),
    paragraphs: [
      `${callerText}의 ${insurance} ${petitionText} 업무에 대한 답변입니다.`,
      '해당 월의 다음 달 15일까지 신고하여 주시기 바랍니다.',
      `문의: 고객센터 1500-${random.digits(4)}`,
    ],
    attachments: [],
  };
}

function form(index: number): Posting {
  const random = seededRandom(`form:${index}`);
  const [insurance, insuranceText] = random.pick(INSURANCES);
  const [task, taskText] = random.pick(TASKS);
  const [paper, paperText] = random.pick(PAPERS);
  const name = `${insuranceText}_${taskText}_${paperText}`;
  return {
    number: String(1200 + index),
    bbsId: `BBS00${(index % 3) + 1}`,
    title: `${insuranceText} ${taskText} ${paperText} (제${index}호 서식)`,
    codes: { srchInsuCd: insurance, srchJobCd: task, srchPubapCd: paper },
    category: `${insuranceText} > ${taskText}`,
    writer: '서식담당',
    registeredOn: registration(`form:${index}`),
    views: random.int(10, 9000),
    paragraphs: [
      `${insuranceText} ${taskText} ${paperText} 서식입니다.`,
      '작성 예시를 참고하여 주십시오.',
    ],
    attachments:
      index % 9 === 0
        ? []
        : attachments(`form:${index}`, [`${name}.xlsx`, `${name}_작성예시.pdf`], index % 7 === 0),
  };
}

function notice(index: number): Posting {
  const random = seededRandom(`notice:${index}`);
  const [institution, institutionText] = random.pick(INSTITUTIONS);
  const subject = random.pick(NEWS);
  return {
    number: `2026${String(index).padStart(4, '0')}`,
    bbsId: '',
    title: `[${institutionText}] ${subject}`,
    codes: { srchInst: institution },
    category: institutionText,
    writer: institutionText,
    registeredOn: registration(`notice:${index}`),
    views: random.int(10, 9000),
    paragraphs: [`${subject}입니다.`, '이용에 참고하여 주시기 바랍니다.'],
    attachments: index % 2 === 0 ? attachments(`notice:${index}`, [`${subject}.txt`]) : [],
  };
}

const many = (count: number, make: (index: number) => Posting): Posting[] =>
  Array.from({ length: count }, (_, index) => make(count - index));

/** Newest number first. */
export const questions: readonly Posting[] = many(37, question);
export const forms: readonly Posting[] = many(46, form);
export const notices: readonly Posting[] = many(28, notice);
