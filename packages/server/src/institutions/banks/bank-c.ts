import { defineConnectors } from '../connector.ts';
import { typedPassword } from '../portal/keypad.ts';
import { formIn, messageIn, type PortalFace } from '../portal/portal.ts';
import {
  type AccountColumns,
  type AccountsSite,
  accountsInTable,
  accountsList,
  printedTotal,
} from './accounts-list.ts';
import { bankCHistory } from './bank-c-history.ts';
import { transactionHistory } from './transaction-history.ts';

const face: PortalFace = {
  provider: 'bank_c',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) =>
    messageIn(page, '#content > #layerError > dl > dd', '#content > #layerError > dl > dt'),
};

const COLUMNS: AccountColumns = ['계좌번호', '예금종류', '별칭', '현재잔액', '신규일', '상태'];

const accounts: AccountsSite = {
  face,
  loginPath: '/login/login.do',
  certificate: {
    form: '#certLoginForm',
    nonce: 'challenge',
    certificate: 'signCert',
    signature: 'signData',
  },
  password: { form: '#idLoginForm', id: 'userId', password: 'userPass', seal: typedPassword },
  listPath: '/accounts/list.do',
  pageParameter: 'pageIndex',
  logoutForm: '#logoutForm',
  total: (page) => printedTotal(page, '#content > .count'),
  rows: (page) => accountsInTable(page, '#content > #tblAcct', COLUMNS),
};

export const bankC = defineConnectors('bank_c', {
  'bank_c.accounts.list': accountsList(accounts),
  'bank_c.accounts.transaction_history.search': transactionHistory((call, query) =>
    bankCHistory(call, face, query),
  ),
});
