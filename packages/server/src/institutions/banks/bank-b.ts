import { defineConnectors } from '../connector.ts';
import { typedPassword } from '../portal/keypad.ts';
import { brokenPage, type PortalPage } from '../portal/page.ts';
import { formIn, type PortalFace } from '../portal/portal.ts';
import type { PortalMessage } from '../portal/portal-message.ts';
import {
  type AccountColumns,
  type AccountsSite,
  accountsInTable,
  accountsList,
  printedTotal,
} from './accounts-list.ts';
import { bankBHistory } from './bank-b-history.ts';
import { transactionHistory } from './transaction-history.ts';

/** This bank reports errors only in an inline script: alert("… (오류코드 : …)"). */
function alertOf(page: PortalPage): PortalMessage | null {
  const script = page.$('#content > script').first().text();
  const literal = /^\s*alert\(("(?:[^"\\]|\\.)*")\)/.exec(script)?.[1];
  if (literal === undefined) return null;
  const text = parseLiteral(literal);
  if (text === null) throw brokenPage(page.status);
  const [, sentence = text, code = null] = /^(.*)\(오류코드 : (\w+)\)$/s.exec(text) ?? [];
  return { text: sentence.trim(), code };
}

/** Null for what only a script engine could evaluate. */
function parseLiteral(literal: string): string | null {
  try {
    return JSON.parse(literal);
  } catch {
    return null;
  }
}

export const bankBFace: PortalFace = {
  provider: 'bank_b',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: alertOf,
};

const COLUMNS: AccountColumns = ['계좌번호', '예금종류', '별칭', '현재잔액', '신규일', '상태'];

const accounts: AccountsSite = {
  face: bankBFace,
  loginPath: '/login.jsp',
  certificate: {
    form: '#certLoginForm',
    nonce: '전자서명원문',
    certificate: '인증서',
    signature: '전자서명',
  },
  password: {
    form: '#idLoginForm',
    id: '이용자ID',
    password: '이용자비밀번호',
    seal: typedPassword,
  },
  listPath: '/accounts.jsp',
  pageParameter: 'pageNo',
  logoutForm: 'form[name="FORM_LOGOUT"]',
  total: (page) => printedTotal(page, '#content > p'),
  rows: (page) => accountsInTable(page, '#content > table.tType02', COLUMNS),
};

export const bankB = defineConnectors('bank_b', {
  'bank_b.accounts.list': accountsList(accounts),
  'bank_b.accounts.transaction_history.search': transactionHistory((call, query) =>
    bankBHistory(call, bankBFace, query),
  ),
});
