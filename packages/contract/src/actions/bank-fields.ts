import { Type } from 'typebox';
import { nullable, oneOf } from '../schemas/vocabulary.ts';
import {
  choice,
  date,
  described,
  maybeProse,
  maybeText,
  ownText,
  prose,
  rowCount,
  rowIndex,
  success,
  text,
  won,
} from './fields.ts';

const bankAccountCredentialId = Type.String({
  minLength: 1,
  ...described({
    ko: '조회할 계좌의 등록 ID. 생략하면 연결의 기본 계좌를 조회합니다. 모든 계좌를 실행할 때는 넣지 않습니다.',
    en: 'Registered bank account to use; omitted: the default account of the link. Never sent with all-accounts',
  }),
});

const maskedAccountNo = text('Account number, all but the first 3 and last 4 digits masked');

export const transactionHistoryParams = Type.Object({
  bank_account_credential_id: Type.Optional(bankAccountCredentialId),
  from_date: Type.Optional(
    date({
      ko: '조회 시작일. 생략하면 종료일의 29일 전입니다. 조회 기간은 최대 366일입니다.',
      en: 'First day; omitted: 29 days before the last one. At most 366 days in all',
    }),
  ),
  to_date: Type.Optional(
    date({
      ko: '조회 종료일. 오늘보다 늦을 수 없으며, 생략하면 오늘입니다.',
      en: 'Last day, not in the future; omitted: today',
    }),
  ),
  direction: Type.Optional(
    choice(
      {
        all: { ko: '전체', en: 'every row' },
        in: { ko: '입금만', en: 'deposits only' },
        out: { ko: '출금만', en: 'withdrawals only' },
      },
      { ko: '입출금 구분', en: 'Which transactions' },
      { default: 'all' },
    ),
  ),
  order: Type.Optional(
    choice(
      {
        desc: { ko: '최근 거래부터', en: 'newest first' },
        asc: { ko: '오래된 거래부터', en: 'oldest first' },
      },
      { ko: '정렬 순서', en: 'Order' },
      { default: 'desc' },
    ),
  ),
});

export const transactionHistoryResult = Type.Object({
  success,
  bank_account_credential_id: nullable(text('The registered account that was read')),
  masked_account_no: maskedAccountNo,
  currency: oneOf(['KRW'], { description: 'Currency of every amount' }),
  from_date: text('First day that was read, YYYYMMDD'),
  to_date: text('Last day that was read, YYYYMMDD'),
  opening_balance: won('Balance before the first day'),
  closing_balance: won('Balance at the end of the last day'),
  deposit_total: won('All deposits of the period'),
  withdrawal_total: won('All withdrawals of the period'),
  row_count: rowCount,
  next: nullable(
    Type.Object(
      {
        from_date: text('First day of the rest, YYYYMMDD'),
        to_date: text('Last day of the rest, YYYYMMDD'),
        message: ownText('What to do, in Korean'),
      },
      {
        description:
          'Set when there was no time for the whole period: submit the action again with these dates',
      },
    ),
  ),
  items: Type.Array(
    Type.Object({
      row_index: rowIndex,
      transacted_at: text('Time of the transaction, ISO-8601 with +09:00'),
      deposit_amount: won('Amount paid in, 0 for a withdrawal'),
      withdrawal_amount: won('Amount paid out, 0 for a deposit'),
      balance_after: won('Balance after the transaction'),
      description: prose('What the bank prints (적요)'),
      counterparty: maybeProse('Sender or receiver'),
      branch: maybeText('Branch (거래점)'),
      memo: maybeProse('Memo of the transfer'),
    }),
    { description: 'Transactions in the order asked for' },
  ),
});

export const quickSummaryParams = Type.Object({
  bank_account_credential_id: Type.Optional(bankAccountCredentialId),
});

export const quickSummaryResult = Type.Object({
  success,
  masked_account_no: maskedAccountNo,
  account_name: maybeText('Kind of the account (예금종류)'),
  balance: won('Balance'),
  available_balance: won('Amount that can be withdrawn'),
  opened_on: maybeText('Day of opening, YYYYMMDD'),
  last_transacted_on: maybeText('Day of the last transaction, YYYYMMDD'),
  inquired_at: text('Time of the inquiry, ISO-8601 with +09:00'),
});

export const accountsListResult = Type.Object({
  success,
  row_count: rowCount,
  items: Type.Array(
    Type.Object({
      row_index: rowIndex,
      masked_account_no: maskedAccountNo,
      account_name: maybeText('Kind of the account (예금종류)'),
      nickname: maybeProse('Name that the owner gave it'),
      currency: oneOf(['KRW'], { description: 'Currency of the balance' }),
      balance: won('Balance'),
      opened_on: maybeText('Day of opening, YYYYMMDD'),
      status: maybeText('State that the bank prints'),
    }),
    { description: 'Accounts of the logged-in owner' },
  ),
});
