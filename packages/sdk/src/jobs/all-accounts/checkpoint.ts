import type { Camel } from '@changgu/contract';
import { ConfigurationError } from '../../errors/transport-errors.ts';
import { withFacts } from '../../errors/with-facts.ts';
import { jsonText } from '../../json-text.ts';
import {
  type Check,
  isNumber,
  isRecord,
  isString,
  like,
  listOf,
  optional,
  orNull,
} from '../../shape.ts';
import { checkToken, type TokenFacts, type TokenHome } from '../stored-token.ts';
import { keyOf, providerOf } from '../submission-key.ts';
import type { AllAccountsRequest } from './rounds.ts';

/** Why a call stopped midway. */
export interface Interruption extends NonNullable<Camel.AllAccountsResponse['interruption']> {}

/** An account with its job. */
export interface SubmittedAccount {
  readonly accountLinkId: string;
  readonly bankAccountCredentialId: string;
  readonly maskedAccountNo: string;
  readonly jobId: string;
}

/**
 * The state of an all-accounts call: what is still to be submitted, and what was submitted but not yielded yet.
 * Every round uses the batch key, which the service stores per account, so resuming from it never queries an
 * account twice, however old the checkpoint is.
 */
export interface AllAccountsCheckpoint extends TokenFacts {
  readonly v: 2;
  readonly kind: 'all-accounts';
  /** The Idempotency-Key of every round. */
  readonly batchKey: string;
  /** Number of the next round, 1 for the first. */
  readonly round: number;
  readonly action: string;
  /** The request body without the accounts. */
  readonly request: string;
  /** What sandbox plays in every round. */
  readonly sandboxOutcome?: string | undefined;
  /** Accounts of the next round; null for all, empty when there is no further round. */
  readonly bankAccountCredentialIds: readonly string[] | null;
  /** The next round is not sent before this time, in milliseconds since the epoch. */
  readonly notBefore: number;
  /** Submitted but not yielded to the caller yet. */
  readonly pending: readonly SubmittedAccount[];
}

/** Version 1 had a key per round and no pending accounts. */
const VERSION = 2;

/** The checkpoint before the first round. */
export function firstCheckpoint(
  request: AllAccountsRequest,
  home: TokenHome,
): AllAccountsCheckpoint {
  const { action, provider, accountLinkId, params } = request;
  const batchKey = keyOf(request.batchKey);
  const ids = request.bankAccountCredentialIds ?? null;
  if (ids?.length === 0) {
    const error = new ConfigurationError('bankAccountCredentialIds is empty. Omit it for all.');
    throw withFacts(error, { idempotencyKey: batchKey });
  }
  const body = {
    provider: provider ?? providerOf(action),
    action,
    account_link_id: accountLinkId,
    params,
  };
  return {
    v: 2,
    kind: 'all-accounts',
    origin: home.baseUrl,
    envScope: home.envScope,
    batchKey,
    round: 1,
    action,
    request: jsonText(body, batchKey),
    sandboxOutcome: request.sandboxOutcome,
    bankAccountCredentialIds: ids,
    notBefore: 0,
    pending: request.pending ?? [],
  };
}

/** @throws TokenError when it belongs to another service, environment or version */
export function readCheckpoint(value: unknown, home: TokenHome): AllAccountsCheckpoint {
  const shape = {
    batchKey: isString,
    action: isString,
    request: isObjectText,
    sandboxOutcome: optional(isString),
    bankAccountCredentialIds: orNull(listOf(isString)),
    round: isNumber,
    notBefore: isNumber,
    pending: listOf(isSubmitted),
  };
  checkToken<AllAccountsCheckpoint>(value, { kind: 'all-accounts', version: VERSION, shape }, home);
  return value;
}

/** The error of a call, with its key and where to resume it. */
export function withCheckpoint<E>(error: E, checkpoint: AllAccountsCheckpoint | null): E {
  const idempotencyKey = checkpoint?.batchKey ?? null;
  return withFacts(error, { operation: 'submitAllAccounts', idempotencyKey, checkpoint });
}

const isObjectText: Check = (text) => {
  try {
    return isRecord(JSON.parse(String(text)));
  } catch {
    return false;
  }
};

const isSubmitted = like<SubmittedAccount>({
  accountLinkId: isString,
  bankAccountCredentialId: isString,
  maskedAccountNo: isString,
  jobId: isString,
});
