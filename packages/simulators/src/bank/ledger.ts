import { DAY_MS, dayOf, partsOf, startOfDay } from '../seed/kst.ts';
import type { SeededRandom } from '../seed/random.ts';
import { seededRandom } from '../seed/random.ts';

export interface LedgerRow {
  /** Milliseconds, whole seconds. */
  at: number;
  deposit: number;
  withdrawal: number;
  balanceAfter: number;
  description: string;
  counterparty: string;
  branch: string;
  memo: string;
}

/** A row before balances are added up. */
export type Movement = Omit<LedgerRow, 'balanceAfter'>;

export type Direction = 'all' | 'in' | 'out';

export interface Statement {
  openingBalance: number;
  closingBalance: number;
  depositTotal: number;
  withdrawalTotal: number;
  /** Oldest first, only the asked direction; the totals are of the whole period. */
  rows: readonly LedgerRow[];
}

const BRANCHES = ['영업부', '강남중앙', '여의도', '을지로', '판교', '인터넷', '모바일'];
const INCOMING: readonly (readonly [string, string])[] = [
  ['인터넷입금', '(주)한강유통'],
  ['타행이체', '가온테크'],
  ['카드대금', 'BC카드가맹'],
  ['펌뱅킹', '다솜물산'],
  ['대체입금', '누리상사'],
];
const OUTGOING: readonly (readonly [string, string])[] = [
  ['인터넷이체', '푸른산업'],
  ['자동이체', '한국전력공사'],
  ['자동이체', 'KT통신요금'],
  ['체크카드', '온새미로식당'],
  ['급여이체', '직원급여'],
  ['국세', '국세청'],
  ['CD출금', ''],
];
const MEMOS = ['', '', '', '11월분', '세금계산서 2건', '거래처 정산', '선급금'];

function amount(random: SeededRandom): number {
  return random.int(1, 480) * 10 ** random.int(2, 4);
}

/** One movement; it never spends more than a third of what is there. */
function movement(random: SeededRandom, at: number, balance: number): Movement {
  const wanted = amount(random);
  const incoming = random.chance(0.48) || wanted > balance / 3;
  const [description, counterparty] = random.pick(incoming ? INCOMING : OUTGOING);
  return {
    at,
    deposit: incoming ? wanted : 0,
    withdrawal: incoming ? 0 : wanted,
    description,
    counterparty,
    branch: random.pick(BRANCHES),
    memo: random.pick(MEMOS),
  };
}

function movementsOfDay(seed: string, day: number, balance: number): Movement[] {
  const random = seededRandom(`${seed}:${day}`);
  const weekday = (day + 4) % 7;
  const most = weekday === 0 || weekday === 6 ? 1 : 3;
  const seconds = Array.from({ length: random.int(0, most) }, () => random.int(8 * 3600, 86_399));
  let left = balance;
  return [...new Set(seconds)]
    .sort((a, b) => a - b)
    .map((second) => {
      const next = movement(random, startOfDay(day) + second * 1000, left);
      left += next.deposit - next.withdrawal;
      return next;
    });
}

function interestOfDay(day: number, balance: number): Movement[] {
  const { month, date } = partsOf(day);
  const interest = Math.floor(balance * 0.0005);
  if (date !== 20 || month % 3 !== 0 || interest === 0) return [];
  return [
    {
      at: startOfDay(day) + 3600_000,
      deposit: interest,
      withdrawal: 0,
      description: '예금이자',
      counterparty: '',
      branch: '영업부',
      memo: '결산',
    },
  ];
}

/**
 * Every movement of one account from its opening on, made day by day from the seed: the rows of a
 * day are the same whatever range is asked and whenever. Added movements shift later balances.
 */
export class Ledger {
  readonly #seed: string;
  readonly #openedOn: number;
  readonly #isEmpty: boolean;
  readonly #generated: Movement[] = [];
  readonly #added: Movement[] = [];
  /** All rows in order with their balances; null when a movement came since. */
  #rows: LedgerRow[] | null = null;
  #nextDay: number;
  #balance = 0;

  /** @param openedOn day number of the first deposit. */
  constructor(seed: string, openedOn: number, isEmpty: boolean) {
    this.#seed = seed;
    this.#openedOn = openedOn;
    this.#isEmpty = isEmpty;
    this.#nextDay = openedOn;
  }

  add(movement: Movement): void {
    this.#added.push(movement);
    this.#rows = null;
  }

  /** All rows up to this moment, oldest first. */
  rowsUntil(now: number): LedgerRow[] {
    if (!this.#isEmpty) this.#generateThrough(dayOf(now));
    this.#rows ??= this.#addUp();
    return this.#rows.filter(({ at }) => at <= now);
  }

  balanceAt(now: number): number {
    return this.rowsUntil(now).at(-1)?.balanceAfter ?? 0;
  }

  /** @param fromDay @param toDay day numbers, both included. */
  statement(fromDay: number, toDay: number, direction: Direction, now: number): Statement {
    const rows = this.rowsUntil(now);
    const start = startOfDay(fromDay);
    const end = startOfDay(toDay) + DAY_MS;
    const inside = rows.filter(({ at }) => at >= start && at < end);
    const openingBalance = rows.findLast(({ at }) => at < start)?.balanceAfter ?? 0;
    return {
      openingBalance,
      closingBalance: inside.at(-1)?.balanceAfter ?? openingBalance,
      depositTotal: inside.reduce((sum, row) => sum + row.deposit, 0),
      withdrawalTotal: inside.reduce((sum, row) => sum + row.withdrawal, 0),
      rows: inside.filter((row) => direction === 'all' || (direction === 'in') === row.deposit > 0),
    };
  }

  #addUp(): LedgerRow[] {
    let balance = 0;
    return [...this.#generated, ...this.#added]
      .sort((a, b) => a.at - b.at)
      .map((entry) => {
        balance += entry.deposit - entry.withdrawal;
        return { ...entry, balanceAfter: balance };
      });
  }

  #generateThrough(day: number): void {
    if (this.#nextDay <= day) this.#rows = null;
    while (this.#nextDay <= day) {
      const today =
        this.#nextDay === this.#openedOn
          ? [this.#firstDeposit()]
          : [
              ...interestOfDay(this.#nextDay, this.#balance),
              ...movementsOfDay(this.#seed, this.#nextDay, this.#balance),
            ];
      for (const entry of today) this.#balance += entry.deposit - entry.withdrawal;
      this.#generated.push(...today);
      this.#nextDay += 1;
    }
  }

  #firstDeposit(): Movement {
    return {
      at: startOfDay(this.#openedOn) + 10 * 3600_000,
      deposit: seededRandom(`${this.#seed}:opening`).int(100, 5000) * 10_000,
      withdrawal: 0,
      description: '신규',
      counterparty: '',
      branch: '영업부',
      memo: '',
    };
  }
}
