import { expect, it } from 'vitest';
import { demoAccounts, demoMembers, MAGIC_ENDINGS, PROVIDERS } from '../src/index.ts';

const magic = new RegExp(`(${MAGIC_ENDINGS.join('|')})$`);

it('has the accounts of the demo organization', () => {
  const counts = Object.entries(demoAccounts).map(([link, accounts]) => [link, accounts.length]);
  expect(Object.fromEntries(counts)).toEqual({
    bank_a: 2,
    bank_b: 2,
    bank_b_second: 1,
    bank_c: 4,
    bank_d: 1,
  });
  expect(PROVIDERS).toHaveLength(7);
});

it('nothing of the demo organization has a magic ending', () => {
  const accounts = Object.values(demoAccounts).flat();
  for (const { accountNo, accountPassword, ownerNumber } of accounts) {
    expect(accountNo).toMatch(/^\d{8,16}$/);
    expect(accountPassword).toMatch(/^\d{4}$/);
    expect(accountNo).not.toMatch(magic);
    expect(ownerNumber).not.toMatch(magic);
  }
  for (const { loginId, businessNumber } of Object.values(demoMembers)) {
    expect(loginId).not.toMatch(magic);
    expect(businessNumber ?? '').not.toMatch(magic);
  }
  expect(new Set(accounts.map(({ accountNo }) => accountNo)).size).toBe(accounts.length);
});
