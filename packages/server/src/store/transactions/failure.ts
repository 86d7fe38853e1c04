import type { ErrorCode } from '@changgu/contract';
import { ServiceError, type ServiceErrorDetails } from '../../rules/service-error.ts';

/** When a caller whom the database could not serve may try again. */
const RETRY_AFTER_SECONDS = 1;

/** An error as plain data: structured cloning would strip a ServiceError of everything but its text. */
export type Failure =
  | {
      readonly kind: 'service';
      readonly code: ErrorCode;
      readonly status: number;
      readonly details: ServiceErrorDetails;
      /** Why, for the log. */
      readonly cause: Failure | undefined;
    }
  | {
      readonly kind: 'other';
      /** By these a command knows what it may tell in one line. */
      readonly name: string;
      readonly code: string | undefined;
      readonly message: string;
      readonly stack: string | undefined;
    };

export function toFailure(error: unknown): Failure {
  if (error instanceof ServiceError) {
    const { cause, ...details } = error.details;
    return {
      kind: 'service',
      code: error.code,
      status: error.status,
      details,
      cause: cause === undefined ? undefined : toFailure(cause),
    };
  }
  if (!(error instanceof Error)) return toFailure(new Error(String(error)));
  const { name, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { kind: 'other', name, code, message, stack };
}

export function fromFailure(failure: Failure): Error {
  if (failure.kind === 'service') {
    const cause = failure.cause && fromFailure(failure.cause);
    return new ServiceError(failure.code, { ...failure.details, cause }, failure.status);
  }
  const { name, code, message, stack } = failure;
  const error = Object.assign(new Error(message), code === undefined ? {} : { code });
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** 503: the database cannot be reached or is busy; the same request may work in a moment. */
export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
