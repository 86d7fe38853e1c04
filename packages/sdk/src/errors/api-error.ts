import { type ErrorCode, type NextStep, type NextStepTerms, nextStepOf } from '@changgu/contract';
import { ChangguError } from './changgu-error.ts';
import { stepAfter } from './local-steps.ts';

/**
 * A code of the service, or `HTTP_ERROR` for an answer that a proxy wrote. A newer service may send a code
 * that this version does not list: keep a default branch.
 */
export type ApiErrorCode = ErrorCode | 'HTTP_ERROR';

/** The classes that distinguish errors by status. */
export type ApiErrorName =
  | 'ApiError'
  | 'ValidationError'
  | 'AuthenticationError'
  | 'PermissionError'
  | 'NotFoundError'
  | 'ConflictError'
  | 'IdempotencyConflictError'
  | 'RateLimitError'
  | 'ServerError';

/**
 * One violation of a validation error.
 * @see docs/specification/errors.md#d54
 */
export interface ErrorField {
  /** Path, beginning with body, query, path or header. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** The content of an error answer, in camelCase. */
export interface ApiErrorDetails {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly fields: readonly ErrorField[];
  /** The institution's own error id. */
  readonly providerErrorRef: string | null;
  /** HTTP status of the institution. */
  readonly upstreamStatus: number | null;
  /**
   * The job that a repeated irreversible request belongs to.
   * @see docs/specification/institutions.md#d83
   */
  readonly jobId: string | null;
  /** Milliseconds until a retry makes sense, according to the service; null when it did not say. */
  readonly retryAfterMs: number | null;
  /** Trace id of the service's own record of the failure. */
  readonly traceId: string | null;
}

/** The service refused the call. Subclasses correspond to HTTP statuses; `code` is the service's own. */
export class ApiError extends ChangguError {
  override readonly name: ApiErrorName = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly fields: readonly ErrorField[];
  readonly providerErrorRef: string | null;
  readonly upstreamStatus: number | null;
  override readonly jobId: string | null;
  readonly retryAfterMs: number | null;
  override readonly traceId: string | null;

  constructor(details: ApiErrorDetails) {
    super(`${details.status} ${details.code}: ${details.message}${firstField(details)}`, details);
    this.code = details.code;
    this.status = details.status;
    this.fields = details.fields;
    this.providerErrorRef = details.providerErrorRef;
    this.upstreamStatus = details.upstreamStatus;
    this.jobId = details.jobId;
    this.retryAfterMs = details.retryAfterMs;
    this.traceId = details.traceId;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    const step = nextStepOf(this, terms);
    // The service itself did nothing of what it refused.
    return this.code === 'HTTP_ERROR' ? stepAfter(this, step, terms) : step;
  }
}

/** The first violation, which the service's message does not name. */
function firstField({ fields: [first] }: ApiErrorDetails): string {
  return first ? ` (${first.loc.join('.')}: ${first.msg})` : '';
}

/** 400, 413, 415, 422: the request is invalid. `fields` says where. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';
}

/** 401: the client's credentials are invalid. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 402, 403: this principal, plan or environment may not do it. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404, 410: it does not exist, or no longer does. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: the resource's state does not allow it. */
export class ConflictError extends ApiError {
  override readonly name: 'ConflictError' | 'IdempotencyConflictError' = 'ConflictError';
}

/**
 * 409: the key was used for a different request. Never retried. `client.jobs.list({ idempotencyKey })` finds the job
 * with this key; a different request needs another key.
 */
export class IdempotencyConflictError extends ConflictError {
  override readonly name = 'IdempotencyConflictError';
}

/** 429: rate limit or quota. `retryAfterMs` says when to try again. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service or the institution behind it failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** The class for the status of an error answer. */
export function createApiError(details: ApiErrorDetails): ApiError {
  return new (classOf(details))(details);
}

function classOf({ status, code }: ApiErrorDetails): new (details: ApiErrorDetails) => ApiError {
  if (code === 'IDEMPOTENCY_KEY_CONFLICT') return IdempotencyConflictError;
  if (status >= 500) return ServerError;
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return ValidationError;
    case 401:
      return AuthenticationError;
    case 402:
    case 403:
      return PermissionError;
    case 404:
    case 410:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 429:
      return RateLimitError;
    default:
      return ApiError;
  }
}
