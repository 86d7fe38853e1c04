import { defineConnectors } from '../connector.ts';
import { typedPassword } from '../portal/keypad.ts';
import { elements, type PortalPage, textOf } from '../portal/page.ts';
import { formIn, type PortalFace } from '../portal/portal.ts';
import type { PortalMessage } from '../portal/portal-message.ts';
import {
  type AccountsSite,
  accountsList,
  type PrintedAccount,
  printedTotal,
} from './accounts-list.ts';
import { bankDHistory } from './bank-d-history.ts';
import { transactionHistory } from './transaction-history.ts';

function alertOf(page: PortalPage): PortalMessage | null {
  const alert = page.$('#content > p[role="alert"]').first();
  if (alert.length === 0) return null;
  return { text: textOf(alert), code: alert.attr('data-code') ?? null };
}

const face: PortalFace = {
  provider: 'bank_d',
  detour: (page) => formIn(page, '#continueForm, #laterForm'),
  message: alertOf,
  // The owner did not consent to this data.
  meanings: [{ code: /^O1004$/, means: 'rejected_input' }],
};

const LOGOUT = { page: '/login', form: '#logoutForm' };

const accounts: AccountsSite = {
  face,
  loginPath: LOGOUT.page,
  certificate: {
    form: '#certLoginForm',
    nonce: 'challenge',
    certificate: 'cert',
    signature: 'sign',
  },
  password: { form: '#idLoginForm', id: 'id', password: 'password', seal: typedPassword },
  listPath: '/accounts',
  pageParameter: 'p',
  logoutForm: LOGOUT.form,
  total: (page) => printedTotal(page, '#content > .count'),
  rows: printedAccounts,
};

function printedAccounts(page: PortalPage): PrintedAccount[] {
  return elements(page, '#content > ul.account_list > li').map((item) => {
    const part = (name: string) => textOf(item.children(`.${name}`));
    return {
      number: part('no'),
      product: part('product'),
      nickname: part('nick'),
      balance: part('balance'),
      openedOn: part('opened'),
      state: part('state'),
    };
  });
}

export const bankD = defineConnectors('bank_d', {
  'bank_d.accounts.list': accountsList(accounts),
  'bank_d.accounts.transaction_history.search': transactionHistory((call, query) =>
    bankDHistory(call, face, LOGOUT, query),
  ),
});
