import type {
  ApiError,
  AuthenticationError,
  ConflictError,
  IdempotencyConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './api-error.ts';
import type {
  ArtifactCorruptError,
  ArtifactNotSavedError,
  ArtifactUnavailableError,
} from './artifact-errors.ts';
import { isBranded } from './changgu-error.ts';
import type {
  AllAccountsInterruptedError,
  AllAccountsTimeoutError,
  JobCanceledError,
  JobFailedError,
  WaitTimeoutError,
} from './job-errors.ts';
import type { EncryptionError, TokenError } from './local-errors.ts';
import type {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  RedirectRefusedError,
  TimeoutError,
} from './transport-errors.ts';

/** Every error of the SDK; narrow it by `name` or `code`. */
export type AnyChangguError =
  | (ApiError & { readonly name: 'ApiError' })
  | ValidationError
  | AuthenticationError
  | PermissionError
  | NotFoundError
  | (ConflictError & { readonly name: 'ConflictError' })
  | IdempotencyConflictError
  | RateLimitError
  | ServerError
  | ConfigurationError
  | ConnectionError
  | TimeoutError
  | AbortedError
  | RedirectRefusedError
  | InvalidResponseError
  | EncryptionError
  | TokenError
  | JobFailedError
  | JobCanceledError
  | WaitTimeoutError
  | AllAccountsInterruptedError
  | AllAccountsTimeoutError
  | ArtifactUnavailableError
  | ArtifactCorruptError
  | ArtifactNotSavedError;

/**
 * Whether this is an error of the SDK. Also true for errors of another copy of the package in the process, for
 * which `instanceof` is false.
 */
export function isChangguError(error: unknown): error is AnyChangguError {
  return isBranded(error);
}
