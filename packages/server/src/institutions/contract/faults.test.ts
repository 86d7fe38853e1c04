import { expect, it } from 'vitest';
import { withWrongPassword } from './faults.ts';

it('a wrong password is wrong in the link and in the account, as the action may send either', () => {
  const login = { type: 'id_password', loginId: '800101', loginPassword: 'secret1' } as const;
  const connectorCase = {
    module: 'bank.ts',
    action: 'bank_c.accounts.transaction_history.search',
    baseUrl: 'http://portal.example',
    link: { credential: login },
    account: { accountNumber: '110-1', accountPassword: '1234' },
    secrets: { account_password: '5679', other: 'x' },
  };
  expect(withWrongPassword(connectorCase, { fault: 'wrong_password', at: 1 })).toEqual({
    ...connectorCase,
    link: { credential: { ...login, loginPassword: 'secret2' } },
    account: { accountNumber: '110-1', accountPassword: '5670' },
    secrets: { account_password: '5670', other: 'x' },
  });
});
