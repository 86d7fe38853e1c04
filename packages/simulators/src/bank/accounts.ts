import { demoAccountsAt, UNLISTED_ACCOUNT_PASSWORD } from '../demo/accounts.ts';
import type { Member } from '../demo/members.ts';
import { memberOfLogin, ownerNumberOf } from '../demo/members.ts';
import type { MagicEnding } from '../portal/magic.ts';
import { magicEndingOf } from '../portal/magic.ts';
import type { Bank } from '../providers.ts';
import { dayFrom } from '../seed/kst.ts';
import { seededRandom } from '../seed/random.ts';
import type { Movement } from './ledger.ts';
import { Ledger } from './ledger.ts';

export interface BankAccount {
  number: string;
  password: string;
  /** Null: any well-formed owner number is right. */
  ownerNumber: string | null;
  holder: string;
  product: string;
  nickname: string;
  openedOn: number;
  magic: MagicEnding | null;
  ledger: Ledger;
}

const PRODUCTS = ['보통예금', '기업자유예금', '저축예금', 'MMDA', '사업자주거래통장'];
const NICKNAMES = ['', '운영자금', '급여통장', '세금납부', '매출입금'];
const ACCOUNT_NO = /^\d{8,16}$/;
const DIGITS: Record<Bank, number> = { bank_a: 12, bank_b: 14, bank_c: 13, bank_d: 11 };

export function isAccountNumber(text: string): boolean {
  return ACCOUNT_NO.test(text);
}

/** 123456-78-901234: how statements print a number. */
export function hyphenateAccount(number: string): string {
  return `${number.slice(0, 3)}-${number.slice(3, 6)}-${number.slice(6)}`;
}

/** The accounts of one bank: the demo ones, and every other number, derived from itself. */
export class AccountBook {
  readonly #bank: Bank;
  readonly #accounts = new Map<string, BankAccount>();

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  account(number: string): BankAccount {
    const known = this.#accounts.get(number);
    if (known) return known;
    const made = this.#make(number);
    this.#accounts.set(number, made);
    return made;
  }

  add(number: string, movement: Movement): void {
    this.account(number).ledger.add(movement);
  }

  /** Accounts a member sees after login, oldest first. */
  accountsOf(member: Member, magic: MagicEnding | null): BankAccount[] {
    if (magic === '0200') return [];
    const owner = ownerNumberOf(member);
    const demo = demoAccountsAt(this.#bank).filter((entry) => entry.ownerNumber === owner);
    if (demo.length > 0) return demo.map(({ accountNo }) => this.account(accountNo));
    const random = seededRandom(`accounts:${this.#bank}:${owner}:${member.loginId}`);
    const count = random.int(1, 13);
    // A tail of 1–9 first keeps derived numbers clear of the magic endings.
    return Array.from({ length: count }, () => {
      const head = random.digits(DIGITS[this.#bank] - 4).replace(/^0/, '1');
      return this.account(`${head}${random.int(1, 9)}${random.digits(3)}`);
    });
  }

  #make(number: string): BankAccount {
    const demo = demoAccountsAt(this.#bank).find(({ accountNo }) => accountNo === number);
    const random = seededRandom(`account:${this.#bank}:${number}`);
    const magic = magicEndingOf(number);
    const openedOn = dayFrom(2020, 1, 1) + random.int(0, 5 * 365);
    return {
      number,
      password: demo?.accountPassword ?? UNLISTED_ACCOUNT_PASSWORD,
      ownerNumber: demo?.ownerNumber ?? null,
      holder: demo?.member.name ?? memberOfLogin(`holder-of-${number}`).name,
      product: random.pick(PRODUCTS),
      nickname: random.pick(NICKNAMES),
      openedOn,
      magic,
      ledger: new Ledger(`ledger:${this.#bank}:${number}`, openedOn, magic === '0200'),
    };
  }
}
