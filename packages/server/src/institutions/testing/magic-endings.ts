import type { MagicEnding } from '@changgu/simulators';

/** How a login with a certificate or number of that ending ends on every portal (D142). */
export const LOGIN_ENDINGS = [
  ['0401', 'PROVIDER_CREDENTIAL_REJECTED'],
  ['0423', 'PROVIDER_ACCOUNT_LOCKED'],
  ['0503', 'PROVIDER_MAINTENANCE'],
] satisfies [MagicEnding, string][];

/** The login succeeds, and every request for data ends like this. */
export const DATA_ENDINGS = [
  ['0520', 'PROVIDER_UPSTREAM_ERROR'],
  ['0440', 'PROVIDER_SESSION_EXPIRED'],
  ['0409', 'PROVIDER_SESSION_EXPIRED'],
  ['0402', 'PROVIDER_VALIDATION_ERROR'],
] satisfies [MagicEnding, string][];
