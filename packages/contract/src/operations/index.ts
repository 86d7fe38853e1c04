import type { Operation } from '../define-operation.ts';
import * as account from './account.ts';
import * as admin from './admin.ts';
import * as appCredentials from './app-credentials.ts';
import * as artifacts from './artifacts.ts';
import * as bankAccounts from './bank-accounts.ts';
import * as credentials from './credentials.ts';
import * as cryptoKey from './crypto-key.ts';
import * as jobs from './jobs.ts';
import * as membership from './membership.ts';
import * as system from './system.ts';
import * as taxPortal from './tax-portal.ts';

const groups = [
  system,
  jobs,
  artifacts,
  cryptoKey,
  account,
  appCredentials,
  credentials,
  bankAccounts,
  membership,
  taxPortal,
  admin,
];

/** Every operation of the wire, in the order of the documentation. */
export const OPERATIONS: readonly Operation[] = groups.flatMap((group) =>
  Object.values<unknown>(group).flat().filter(isOperation),
);

export {
  account,
  admin,
  appCredentials,
  artifacts,
  bankAccounts,
  credentials,
  cryptoKey,
  jobs,
  membership,
  system,
  taxPortal,
};

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'may' in value && 'method' in value;
}
