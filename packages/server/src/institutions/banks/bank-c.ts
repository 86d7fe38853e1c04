import { defineConnectors } from '../connector.ts';
import { formIn, messageIn, type PortalFace } from '../portal/portal.ts';
import { type AccountsSite, accountsInTable, accountsList, printedTotal } from './accounts-list.ts';
import { bankCHistory } from './bank-c-history.ts';
import { transactionHistory } from './transaction-history.ts';

const face: PortalFace = {
  provider: 'bank_c',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: (page) =>
    messageIn(page, '#content > #layerError > dl > dd', '#content > #layerError > dl > dt'),
};

const accounts: AccountsSite = {
  face,
  loginPath: '/login/login.do',
  certificate: {
    form: '#certLoginForm',
    nonce: 'challenge',
    certificate: 'signCert',
    signature: 'signData',
  },
  password: { form: '#idLoginForm', id: 'userId', password: 'userPass' },
  listPath: '/accounts/list.do',
  pageParameter: 'pageIndex',
  logoutForm: '#logoutForm',
  total: (page) => printedTotal(page, '#content > .count'),
  rows: (page) => accountsInTable(page, '#content > #tblAcct'),
};

export const bankC = defineConnectors('bank_c', {
  'bank_c.accounts.list': accountsList(accounts),
  'bank_c.accounts.transaction_history.search': transactionHistory((call, query) =>
    bankCHistory(call, face, query),
  ),
});
