import { dayFrom, formatDay, formatMonth, monthOf, partsOf, startOfDay } from '../seed/kst.ts';
import { seededRandom } from '../seed/random.ts';

export interface InvoiceSum {
  partners: number;
  invoices: number;
  supply: number;
  tax: number;
}

export type InvoicePeriod = 'day' | 'month' | 'quarter';

/** Invoices of one day; the same whatever period they are summed up in. */
function invoicesOfDay(owner: string, sales: boolean, day: number): InvoiceSum {
  const random = seededRandom(`invoice:${owner}:${sales ? 'sales' : 'purchases'}:${day}`);
  if (random.chance(0.6)) return { partners: 0, invoices: 0, supply: 0, tax: 0 };
  const invoices = random.int(1, 6);
  const supply = random.int(10, 900) * 10_000 * invoices;
  return { partners: random.int(1, invoices), invoices, supply, tax: Math.floor(supply / 10) };
}

function periodName(day: number, period: InvoicePeriod): string {
  const { year, month } = partsOf(day);
  if (period === 'day') return formatDay(day, '-');
  if (period === 'month') return formatMonth(year * 12 + month - 1, '-');
  return `${year}년 ${Math.ceil(month / 3)}분기`;
}

/** Sums by period, oldest first; periods without an invoice are left out. */
export function invoiceSums(
  owner: string,
  sales: boolean,
  period: InvoicePeriod,
  range: { fromDay: number; toDay: number },
): [name: string, sum: InvoiceSum][] {
  const sums = new Map<string, InvoiceSum>();
  for (let day = range.fromDay; day <= range.toDay; day += 1) {
    const today = invoicesOfDay(owner, sales, day);
    if (today.invoices === 0) continue;
    const name = periodName(day, period);
    const before = sums.get(name) ?? { partners: 0, invoices: 0, supply: 0, tax: 0 };
    sums.set(name, {
      partners: before.partners + today.partners,
      invoices: before.invoices + today.invoices,
      supply: before.supply + today.supply,
      tax: before.tax + today.tax,
    });
  }
  return [...sums];
}

/** Card sales of one month: number and amount for each of the three ways of paying. */
export interface CardMonth {
  quarter: number;
  month: string;
  ways: readonly { count: number; amount: number }[];
}

/** The months of these quarters that have begun. */
export function cardMonths(
  owner: string,
  year: number,
  quarters: { from: number; to: number },
  now: number,
): CardMonth[] {
  const first = year * 12 + (quarters.from - 1) * 3;
  const count = (quarters.to - quarters.from + 1) * 3;
  return Array.from({ length: count }, (_, index) => first + index)
    .filter((month) => month <= monthOf(now))
    .map((month) => {
      const random = seededRandom(`card:${owner}:${month}`);
      const ways = [90, 25, 40].map((most) => {
        const sales = random.int(0, most);
        return { count: sales, amount: sales * random.int(80, 900) * 100 };
      });
      return { quarter: Math.floor((month % 12) / 3) + 1, month: formatMonth(month, '-'), ways };
    });
}

export const STATEMENT_KINDS: Readonly<Record<string, string>> = {
  A0051: '근로소득 지급명세서',
  A0053: '퇴직소득 지급명세서',
  A0055: '비거주자의 사업·기타소득 등 지급명세서',
  A0056: '의료비 지급명세서',
  A0057: '기부금 명세서',
  A0084: '이자·배당소득 지급명세서',
  A0085: '사업소득 연말정산 지급명세서',
  A0086: '사업소득 지급명세서',
  A0087: '종교인소득 지급명세서(연말정산)',
  A0088: '기타소득 지급명세서',
  A0257: '비거주자 유가증권 양도소득 지급명세서',
  A0259: '비거주자 부동산 양도소득 지급명세서',
  A0283: '연금계좌 지급명세서',
};

export interface PaymentStatement {
  number: number;
  year: number;
  name: string;
  recipient: string;
  payments: number;
  amount: number;
  withheld: number;
  submittedOn: string;
}

const RECIPIENTS = ['김민준', '이서연', '박도윤', '최하은', '정지호', '강수아', '조예준', '윤지우'];

export function paymentStatements(owner: string, kind: string): PaymentStatement[] {
  const random = seededRandom(`statements:${owner}:${kind}`);
  // Wage income always fills several pages, so that paging can be tried on every member.
  const count = kind === 'A0051' ? random.int(21, 37) : random.int(0, 14);
  return Array.from({ length: count }, (_, index) => {
    const year = 2023 + Math.floor((index * 3) / count);
    const amount = random.int(1, 600) * 100_000;
    return {
      number: index + 1,
      year,
      name: STATEMENT_KINDS[kind] ?? '',
      recipient: random.pick(RECIPIENTS),
      payments: random.int(1, 12),
      amount,
      withheld: Math.floor(amount * 0.033),
      submittedOn: formatDay(dayFrom(year + 1, 3, random.int(1, 10)), '-'),
    };
  });
}

export const HISTORY_TYPES: Readonly<Record<string, string>> = {
  A0161: '일용근로소득 간이지급명세서',
  A0162: '근로소득 간이지급명세서(연말)',
  A0163: '비거주자 사업소득 간이지급명세서',
  A0164: '비거주자 사업소득 연말정산 간이지급명세서',
  A0165: '기타소득 간이지급명세서',
  F0025: '사업장제공자 등의 과세자료 제출명세서',
  F0026: '일용근로소득 지급명세서',
};

export interface Submission {
  month: string;
  type: string;
  name: string;
  receiptNo: string;
  statements: number;
  submittedAt: number;
}

/** Submissions of a range of months (see parseMonth), newest first, none of the future. */
export function submissions(
  owner: string,
  months: { from: number; to: number },
  types: readonly string[],
  now: number,
): Submission[] {
  const found: Submission[] = [];
  for (let month = months.from; month <= months.to; month += 1) {
    for (const type of types) {
      const random = seededRandom(`submission:${owner}:${month}:${type}`);
      const date = dayFrom(Math.floor(month / 12), (month % 12) + 1, random.int(1, 28));
      const submittedAt = startOfDay(date) + random.int(9 * 3600, 18 * 3600) * 1000;
      if (!random.chance(0.45) || submittedAt > now) continue;
      found.push({
        month: formatMonth(month, '-'),
        type,
        name: HISTORY_TYPES[type] ?? '',
        receiptNo: `${formatMonth(month)}-${random.digits(8)}`,
        statements: random.int(1, 60),
        submittedAt,
      });
    }
  }
  return found.sort((a, b) => b.submittedAt - a.submittedAt);
}
