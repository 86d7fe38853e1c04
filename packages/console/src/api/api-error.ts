import type { ErrorEnvelope } from '@changgu/contract';

type ErrorFacts = ErrorEnvelope['error'];

/** An error of the service, with its own message in the language of the page. */
export class ApiError extends Error {
  readonly status: number;
  readonly facts: ErrorFacts | null;

  constructor(status: number, facts: ErrorFacts | null) {
    super(facts?.message ?? `HTTP ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.facts = facts;
  }
}

/** The password was right, and the second factor is missing. */
export function asksForFactor(error: unknown): boolean {
  return error instanceof ApiError && error.facts?.code === 'AUTH_FACTOR_REQUIRED';
}

/** Without saying which part of it is wrong. */
export function isRefusedCredential(error: unknown): boolean {
  return error instanceof ApiError && error.facts?.code === 'AUTH_INVALID_CREDENTIALS';
}

/** The operator has set up no mail. The person did nothing wrong. */
export function isWithoutMail(error: unknown): boolean {
  return error instanceof ApiError && error.facts?.code === 'MAIL_NOT_CONFIGURED';
}

/** There was no answer: the network or the server is down. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}
