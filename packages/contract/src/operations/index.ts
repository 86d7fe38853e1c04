import type { Operation } from '../define-operation.ts';
import * as account from './account.ts';
import * as admin from './admin.ts';
import * as appCredentials from './app-credentials.ts';
import * as artifacts from './artifacts.ts';
import * as audit from './audit.ts';
import * as bankAccounts from './bank-accounts.ts';
import * as billing from './billing.ts';
import * as catalog from './catalog.ts';
import * as credentials from './credentials.ts';
import * as cryptoKey from './crypto-key.ts';
import * as events from './events.ts';
import * as factors from './factors.ts';
import * as institutions from './institutions.ts';
import * as jobOverviews from './job-overviews.ts';
import * as jobs from './jobs.ts';
import * as mcp from './mcp.ts';
import * as members from './members.ts';
import * as membership from './membership.ts';
import * as oauth from './oauth.ts';
import * as oneTimeLinks from './one-time-links.ts';
import * as passkeys from './passkeys.ts';
import * as receipts from './receipts.ts';
import * as sessions from './sessions.ts';
import * as system from './system.ts';
import * as taxPortal from './tax-portal.ts';
import * as webhooks from './webhooks.ts';

const groups = [
  system,
  jobs,
  jobOverviews,
  artifacts,
  events,
  webhooks,
  receipts,
  cryptoKey,
  account,
  sessions,
  factors,
  passkeys,
  oneTimeLinks,
  members,
  appCredentials,
  audit,
  oauth,
  credentials,
  bankAccounts,
  membership,
  institutions,
  taxPortal,
  mcp,
  catalog,
  billing,
  admin,
];

/** Every operation of the API: groups in the order of the documentation, operations of a group by path. */
export const OPERATIONS: readonly Operation[] = groups.flatMap((group) =>
  Object.values<unknown>(group).flat().filter(isOperation).sort(byPath),
);

export {
  account,
  admin,
  appCredentials,
  artifacts,
  audit,
  bankAccounts,
  billing,
  catalog,
  credentials,
  cryptoKey,
  events,
  factors,
  institutions,
  jobOverviews,
  jobs,
  mcp,
  members,
  membership,
  oauth,
  oneTimeLinks,
  passkeys,
  receipts,
  sessions,
  system,
  taxPortal,
  webhooks,
};

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'may' in value && 'method' in value;
}

/** Not every loader keeps the order of a module's exports. */
function byPath(a: Operation, b: Operation): number {
  return `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1;
}
