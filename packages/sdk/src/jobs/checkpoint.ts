import type { AllAccountsResponse } from '@changgu/contract';
import type { Camelized } from '../wire-case.ts';
import { checkToken, type TokenFacts, type TokenHome } from './stored-token.ts';

/** Why a call stopped midway. */
export interface Interruption extends Camelized<NonNullable<AllAccountsResponse['interruption']>> {}

/**
 * Where an all-accounts call stands before a request. The key of a round follows from the batch key and the
 * round, so a round that is sent again after a crash finds its own jobs.
 */
export interface AllAccountsCheckpoint extends TokenFacts {
  readonly kind: 'all-accounts';
  readonly batchKey: string;
  /** 1 for the first round. */
  readonly round: number;
  readonly action: string;
  /** The request body without the accounts. */
  readonly request: string;
  /** Accounts of this round; null for all. */
  readonly bankAccountCredentialIds: readonly string[] | null;
  /** Milliseconds since the epoch before which the round is not to be sent. */
  readonly notBefore: number;
}

export function keyOfRound({ batchKey, round }: AllAccountsCheckpoint): string {
  return `${batchKey}.${round}`;
}

/** @throws TokenError when it belongs to another service, environment or version */
export function readCheckpoint(value: unknown, home: TokenHome): AllAccountsCheckpoint {
  checkToken<AllAccountsCheckpoint>(value, 'all-accounts', home, ['batchKey', 'action', 'request']);
  return value;
}
