import { Type } from 'typebox';
import {
  type ActionDefinition,
  defineAction,
  type InstitutionDefinition,
  type Text,
} from '../define-action.ts';
import {
  accountsListResult,
  quickSummaryParams,
  quickSummaryResult,
  transactionHistoryParams,
  transactionHistoryResult,
} from './bank-fields.ts';

const accountPassword = {
  account_password: {
    ko: '계좌 비밀번호 4자리. 이번 호출에서만 등록된 비밀번호를 대신합니다.',
    en: 'Account password, four digits; overrides the registered one for this call only.',
  },
} as const;

const BANKS = {
  bank_a: { ko: 'A은행', en: 'Bank A' },
  bank_b: { ko: 'B은행', en: 'Bank B' },
  bank_c: { ko: 'C은행', en: 'Bank C' },
  bank_d: { ko: 'D은행', en: 'Bank D' },
} as const satisfies Record<string, Text>;
type Bank = keyof typeof BANKS;

function accountsList(bank: Bank): ActionDefinition {
  const { ko, en } = BANKS[bank];
  return defineAction({
    id: `${bank}.accounts.list`,
    title: { ko: `${ko} 계좌 목록`, en: `${en} accounts` },
    description: {
      ko: `${ko}에 로그인하여 보유 계좌와 잔액의 목록을 조회합니다.`,
      en: `Logs in to ${en} and lists the owner's accounts with their balances.`,
    },
    params: Type.Object({}),
    result: accountsListResult,
    timeoutSeconds: 60,
    toolName: `${bank}_accounts`,
  });
}

interface HistoryProduct {
  readonly name: Text;
  readonly usageTokens?: number;
  readonly publicTool?: boolean;
}

function transactionHistory(bank: Bank, { name, ...rest }: HistoryProduct): ActionDefinition {
  const { ko, en } = BANKS[bank];
  return defineAction({
    id: `${bank}.accounts.transaction_history.search`,
    title: { ko: `${ko} ${name.ko}`, en: `${en} ${name.en}` },
    description: {
      ko: `${ko} 계좌 하나의 입출금 거래내역을 기간별로 조회합니다. 기간을 생략하면 최근 30일이며 최대 366일입니다. 결과는 엑셀 파일로도 받을 수 있습니다.`,
      en: `Reads the transactions of one ${en} account for a period: the last 30 days unless given, at most 366 days. The rows also come as a spreadsheet.`,
    },
    params: transactionHistoryParams,
    result: transactionHistoryResult,
    selectsAccount: true,
    encryptedFields: accountPassword,
    toolName: `${bank}_transactions`,
    file: { format: 'xlsx', task: `${ko}_거래내역` },
    ...rest,
  });
}

const quickSummary = defineAction({
  id: 'bank_a.accounts.quick_summary.get',
  title: { ko: 'A은행 빠른 잔액 조회', en: 'Bank A quick balance summary' },
  description: {
    ko: 'A은행 계좌 하나의 잔액, 출금 가능 금액, 신규일과 최종 거래일을 로그인 없이 빠르게 조회합니다.',
    en: 'Reads balance, available amount, opening day and last transaction day of one Bank A account without a login.',
  },
  params: quickSummaryParams,
  result: quickSummaryResult,
  selectsAccount: true,
  timeoutSeconds: 60,
  encryptedFields: accountPassword,
  toolName: 'bank_a_balance',
});

function bank(
  provider: Bank,
  actions: readonly ActionDefinition[],
  consentFeatures: readonly string[] = [],
): InstitutionDefinition {
  return {
    provider,
    title: BANKS[provider],
    kind: 'bank',
    linkTypes: [
      'certificate',
      'id_password',
      ...(consentFeatures.length ? ['consent' as const] : []),
    ],
    consentFeatures,
    actions: [accountsList(provider), ...actions],
  };
}

const quickHistory: Text = { ko: '빠른 거래내역 조회', en: 'quick transaction history' };
const easyHistory: Text = { ko: '간편 거래내역 조회', en: 'easy transaction history' };

export const banks: readonly InstitutionDefinition[] = [
  bank('bank_a', [quickSummary]),
  bank('bank_b', [transactionHistory('bank_b', { name: quickHistory })]),
  bank('bank_c', [transactionHistory('bank_c', { name: easyHistory })]),
  bank(
    'bank_d',
    [transactionHistory('bank_d', { name: quickHistory, usageTokens: 2, publicTool: false })],
    ['accounts', 'transactions'],
  ),
];
