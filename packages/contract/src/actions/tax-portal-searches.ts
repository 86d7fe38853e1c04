import { type TObject, Type } from 'typebox';
import { type ActionDefinition, defineAction, type Text } from '../define-action.ts';
import { oneOf } from '../schemas/vocabulary.ts';
import {
  businessRegistrationNo,
  choice,
  choices,
  count,
  date,
  described,
  maybeProse,
  maybeText,
  rowCount,
  rowIndex,
  success,
  text,
  won,
  yearMonth,
} from './fields.ts';
import { PAYMENT_STATEMENT_KINDS, SUBMIT_HISTORY_TYPES } from './tax-portal-codes.ts';

const QUARTERS = {
  '1': { ko: '1분기', en: 'first quarter' },
  '2': { ko: '2분기', en: 'second quarter' },
  '3': { ko: '3분기', en: 'third quarter' },
  '4': { ko: '4분기', en: 'fourth quarter' },
} as const;

/** An integer or a digit string, so this one is a type array as well. */
function quarter(about: Text) {
  return Type.Unsafe<1 | 2 | 3 | 4 | '1' | '2' | '3' | '4'>({
    type: ['integer', 'string'],
    enum: [1, 2, 3, 4, '1', '2', '3', '4'],
    ...described(about),
    'x-texts': QUARTERS,
  });
}

interface Search {
  readonly segment: string;
  readonly path: string;
  readonly toolName: string;
  readonly screenId: string;
  readonly title: Text;
  readonly description: Text;
  readonly params: TObject;
  readonly result: TObject;
  readonly file?: ActionDefinition['file'];
}

function search({ segment, path, screenId, ...rest }: Search): ActionDefinition {
  return defineAction({
    id: `tax_portal.${segment}`,
    needsSession: true,
    loginAction: 'tax_portal.s1.login',
    taxPortal: { method: 'POST', path, screenId, certificateCode: null, envelope: true },
    ...rest,
  });
}

const invoiceSummary = search({
  segment: 'e1.invoice_summary',
  path: '/a/e1/invoice-summary',
  screenId: 'UTEETBDB17',
  toolName: 'tax_portal_invoice_summary',
  title: { ko: '전자세금계산서 합계표 조회', en: 'Electronic tax invoice summary' },
  description: {
    ko: '기간 안의 전자세금계산서 매출·매입 합계를 일별, 월별 또는 분기별로 조회합니다. 기간을 생략하면 이번 분기입니다.',
    en: 'Sums up issued and received electronic tax invoices of a period by day, month or quarter: the current quarter unless given.',
  },
  params: Type.Object({
    search_types: Type.Optional(
      choices(
        {
          '01': { ko: '매출', en: 'sales (매출)' },
          '02': { ko: '매입', en: 'purchases (매입)' },
        },
        { ko: '매출·매입 구분', en: 'Which invoices' },
        { default: ['01', '02'] },
      ),
    ),
    date_types: Type.Optional(
      choices(
        {
          '01': { ko: '일별', en: 'daily' },
          '02': { ko: '월별', en: 'monthly' },
          '03': { ko: '분기별', en: 'quarterly' },
        },
        { ko: '집계 단위', en: 'By what the sums are made' },
        { default: ['02'] },
      ),
    ),
    start_date: Type.Optional(
      date({
        ko: '조회 시작일. 생략하면 이번 분기의 첫날입니다.',
        en: 'First day; omitted: first day of the current quarter',
      }),
    ),
    end_date: Type.Optional(
      date({
        ko: '조회 종료일. 생략하면 오늘입니다. 조회 기간은 최대 366일입니다.',
        en: 'Last day; omitted: today. At most 366 days in all',
      }),
    ),
  }),
  result: Type.Object({
    success,
    start_date: text('First day, YYYYMMDD'),
    end_date: text('Last day, YYYYMMDD'),
    row_count: rowCount,
    items: Type.Array(
      Type.Object({
        row_index: rowIndex,
        search_type: oneOf(['01', '02'], { description: '01 sales, 02 purchases' }),
        date_type: oneOf(['01', '02', '03'], { description: '01 daily, 02 monthly, 03 quarterly' }),
        period: text('Day, month or quarter, as the portal prints it (기간)'),
        partner_count: count('Business partners (거래처수)'),
        invoice_count: count('Invoices (매수)'),
        supply_amount: won('Supply value (공급가액)'),
        tax_amount: won('Tax (세액)'),
        total_amount: won('Total (합계금액)'),
      }),
      { description: 'One row per period' },
    ),
  }),
});

const creditCardSales = search({
  segment: 't1.credit_card_sales_data',
  path: '/a/t1/credit-card-sales-data',
  screenId: 'UTESFABG35',
  toolName: 'tax_portal_card_sales',
  title: { ko: '신용카드 등 매출자료 조회', en: 'Credit card sales data' },
  description: {
    ko: '신용카드, 제로페이·온누리, 판매(결제)대행 매출자료를 연도와 분기별로 조회합니다.',
    en: 'Reads sales by credit card, zero/onnuri pay and payment agencies for quarters of one year.',
  },
  params: Type.Object({
    bsno: businessRegistrationNo,
    stl_yr: Type.String({
      pattern: '^20\\d{2}$',
      ...described({
        ko: '결제년도(YYYY).',
        en: 'Settlement year (결제년도), YYYY',
      }),
      examples: ['2026'],
    }),
    qrt_from: quarter({ ko: '조회 시작 분기(1~4).', en: 'First quarter, 1 to 4' }),
    qrt_to: quarter({
      ko: '조회 종료 분기(1~4). 시작 분기보다 빠를 수 없습니다.',
      en: 'Last quarter, 1 to 4, not before the first',
    }),
  }),
  result: Type.Object({
    success,
    bsno: text('Business registration number, 10 digits'),
    stl_yr: text('Settlement year, YYYY'),
    qrt_from: Type.Integer({ description: 'First quarter' }),
    qrt_to: Type.Integer({ description: 'Last quarter' }),
    row_count: rowCount,
    items: Type.Array(
      Type.Object({
        row_index: rowIndex,
        quarter: Type.Integer({ minimum: 1, maximum: 4, description: 'Quarter (분기)' }),
        approved_month: text('Month of approval, YYYYMM (승인월)'),
        credit_card_count: count('Credit card sales, number'),
        credit_card_amount: won('Credit card sales'),
        zero_pay_count: count('Zero pay and onnuri sales, number'),
        zero_pay_amount: won('Zero pay and onnuri sales'),
        agency_count: count('Payment-agency sales, number'),
        agency_amount: won('Payment-agency sales'),
      }),
      { description: 'One row per month' },
    ),
  }),
});

const paymentStatement = search({
  segment: 't1.payment_statement',
  path: '/a/t1/payment-statement',
  screenId: 'UTESFAA0E002',
  toolName: 'tax_portal_payment_statement',
  title: { ko: '지급명세서 조회', en: 'Payment statements' },
  description: {
    ko: '제출된 지급명세서를 자료 종류별로 조회하고 엑셀 파일로 받습니다.',
    en: 'Reads submitted payment statements of one kind, also as a spreadsheet.',
  },
  params: Type.Object({
    mate_knd_cd: choice(PAYMENT_STATEMENT_KINDS, {
      ko: '자료종류',
      en: 'Kind of statement (자료종류)',
    }),
  }),
  result: Type.Object({
    success,
    mate_knd_cd: text('Kind of statement'),
    row_count: rowCount,
    items: Type.Array(
      Type.Object({
        row_index: rowIndex,
        attributed_year: text('Year of the income, YYYY (귀속년도)'),
        statement_name: text('Name of the statement (지급명세서명)'),
        recipient: maybeProse('Who was paid (소득자)'),
        payment_count: count('Payments (지급건수)'),
        payment_amount: won('Amount paid (지급금액)'),
        withheld_tax: won('Tax withheld (원천징수세액)'),
        submitted_on: maybeText('Day of submission, YYYYMMDD (제출일자)'),
      }),
      { description: 'Statements, all pages together' },
    ),
  }),
  file: { format: 'xlsx', task: '지급명세서' },
});

const submitHistory = search({
  segment: 't1.payment_statement_submit_history',
  path: '/a/t1/payment-statement-submit-history',
  screenId: 'UWEICAAD16',
  toolName: 'tax_portal_statement_history',
  title: {
    ko: '일용·간이지급명세서 제출내역 조회',
    en: 'Daily and simplified payment statement submissions',
  },
  description: {
    ko: '일용근로소득 및 간이지급명세서의 제출내역을 제출월 범위로 조회합니다. 최대 12개월입니다.',
    en: 'Reads which daily and simplified payment statements were submitted in a range of months, at most 12.',
  },
  params: Type.Object({
    sbms_ym_strt: yearMonth({ ko: '조회 시작 제출년월.', en: 'First month of submission' }),
    sbms_ym_end: yearMonth({
      ko: '조회 종료 제출년월. 이 달을 포함하며 조회 기간은 최대 12개월입니다.',
      en: 'Last month of submission, inclusive; at most 12 months in all',
    }),
    type_codes: Type.Optional(
      choices(SUBMIT_HISTORY_TYPES, {
        ko: '명세서 종류(생략하면 전체)',
        en: 'Kinds of statement, all when omitted',
      }),
    ),
  }),
  result: Type.Object({
    success,
    sbms_ym_strt: text('First month, YYYYMM'),
    sbms_ym_end: text('Last month, YYYYMM'),
    row_count: rowCount,
    items: Type.Array(
      Type.Object({
        row_index: rowIndex,
        submitted_month: text('Month of submission, YYYYMM (제출년월)'),
        type_code: text('Code of the form (서식코드)'),
        type_name: text('Name of the form (서식명)'),
        receipt_no: text('Receipt number (접수번호)'),
        submitted_count: count('Statements submitted (제출건수)'),
        submitted_at: maybeText('Time of submission, ISO-8601 with +09:00 (제출일시)'),
        status: text('State that the portal prints (처리상태)'),
      }),
      { description: 'Submissions, all pages together' },
    ),
  }),
});

export const taxSearches = [invoiceSummary, creditCardSales, paymentStatement, submitHistory];
