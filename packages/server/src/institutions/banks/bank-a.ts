import type { Call, JsonObject } from '../connector.ts';
import { defineConnectors } from '../connector.ts';
import { readForm } from '../portal/form.ts';
import { typedPassword } from '../portal/keypad.ts';
import { labelled, labelledValues, type PortalPage } from '../portal/page.ts';
import { formIn, messageIn, openPortal, type PortalFace } from '../portal/portal.ts';
import {
  printedDayOrNull,
  printedMoment,
  printedWon,
  textOrNull,
} from '../portal/printed-values.ts';
import {
  type AccountColumns,
  type AccountsSite,
  accountsInTable,
  accountsList,
  printedTotal,
} from './accounts-list.ts';
import { inquiryCredentials, selectedAccount } from './quick-inquiry.ts';

const face: PortalFace = {
  provider: 'bank_a',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) =>
    messageIn(page, '#content > .error_box > .msg', '#content > .error_box > .code'),
};

const COLUMNS: AccountColumns = ['계좌번호', '예금종류', '계좌별칭', '잔액', '신규일', '상태'];

const accounts: AccountsSite = {
  face,
  loginPath: '/login',
  certificate: {
    form: '#certLoginForm',
    nonce: 'challenge',
    certificate: 'certDer',
    signature: 'signature',
  },
  password: { form: '#idLoginForm', id: 'userId', password: 'userPwd', seal: typedPassword },
  listPath: '/accounts',
  pageParameter: 'page',
  logoutForm: '#logoutForm',
  total: (page) => printedTotal(page, '#content > .total'),
  rows: (page) => accountsInTable(page, '#content > table.tbl_list', COLUMNS),
};

/** bank_a.accounts.quick_summary.get: the balance of one account, without a login. */
async function quickSummary(call: Call): Promise<JsonObject> {
  const credentials = inquiryCredentials(call);
  const portal = openPortal(call, face);
  call.progress(1, 2, '은행에 접속하고 있습니다');
  const form = readForm(await portal.get('/quick/balance'), '#quickForm');
  call.progress(2, 2, '계좌 잔액을 조회하고 있습니다');
  const fields = {
    acctNo: credentials.accountNumber,
    acctPwd: credentials.password,
    ownerNo: credentials.owner,
  };
  const { maskedAccountNumber } = selectedAccount(call);
  return portal.logIn(form, fields, (page) => summaryOf(page, maskedAccountNumber));
}

function summaryOf(page: PortalPage, maskedAccountNumber: string): JsonObject {
  const values = labelledValues(page, '#content > table.tbl_detail');
  return {
    success: true,
    masked_account_no: maskedAccountNumber,
    account_name: textOrNull(labelled(values, '예금종류')),
    balance: printedWon(labelled(values, '계좌잔액')),
    available_balance: printedWon(labelled(values, '출금가능금액')),
    opened_on: printedDayOrNull(labelled(values, '신규일자')),
    last_transacted_on: printedDayOrNull(labelled(values, '최종거래일자')),
    inquired_at: printedMoment(labelled(values, '조회일시')),
  };
}

export const bankA = defineConnectors('bank_a', {
  'bank_a.accounts.list': accountsList(accounts),
  'bank_a.accounts.quick_summary.get': quickSummary,
});
