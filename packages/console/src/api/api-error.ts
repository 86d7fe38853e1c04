import type { ErrorEnvelope } from '@changgu/contract';

type ErrorFacts = ErrorEnvelope['error'];

/** What the service refused, in its own words: they are in the language of the page. */
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

/** No answer came: the network or the server is away. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}
