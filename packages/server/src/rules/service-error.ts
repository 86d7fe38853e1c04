import type { ErrorCode, OAuthScope } from '@changgu/contract';
import { ERRORS } from '@changgu/contract/errors';
import type { Language } from '@changgu/contract/language';

/** One violation, in the form of validation failures. */
export interface FieldViolation {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface ServiceErrorDetails {
  /** Replaces the table's text; in both languages, without personal data. */
  readonly message?: { readonly ko: string; readonly en: string };
  readonly retryable?: boolean;
  readonly fields?: readonly FieldViolation[];
  /** Seconds for the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** Additional headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The scopes that an OAuth token would need. */
  readonly scopes?: readonly OAuthScope[];
  /** `<provider>:<code>`. */
  readonly providerErrorRef?: string;
  readonly upstreamStatus?: number;
  readonly jobId?: string;
  /** What was not found, for whoever runs a command on the machine; never in an answer or a log. */
  readonly missing?: string;
  /** Logged only, never in an answer. */
  readonly cause?: unknown;
}

/** The only error that a caller is answered with: a code of the contract's table, which defines status, retryability and texts. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ServiceErrorDetails;

  constructor(code: ErrorCode, details: ServiceErrorDetails = {}, status?: number) {
    super(details.message?.en ?? ERRORS[code].en, { cause: details.cause });
    this.code = code;
    this.status = status ?? ERRORS[code].status ?? 500;
    this.details = details;
  }

  get retryable(): boolean {
    return this.details.retryable ?? ERRORS[this.code].retryable;
  }

  /** The text for people. */
  text(language: Language): string {
    return this.details.message?.[language] ?? ERRORS[this.code][language];
  }
}

/** Whether the store did not answer, so that the same may succeed in a moment. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';
}

/** A longer list helps no reader, and a hostile body could cause a hundred thousand entries. */
export const MAX_FIELDS = 100;

/** 422: the shape of the request is wrong. */
export function invalidShape(fields: readonly FieldViolation[]): ServiceError {
  const listed = fields.slice(0, MAX_FIELDS);
  return new ServiceError('VALIDATION_INVALID_FIELD', { fields: listed }, 422);
}

/** 400: the shape is valid, the meaning is not. */
export function invalidValue(
  fields: readonly FieldViolation[],
  message?: { ko: string; en: string },
): ServiceError {
  return new ServiceError(
    'VALIDATION_INVALID_FIELD',
    { fields: fields.slice(0, MAX_FIELDS), ...(message ? { message } : {}) },
    400,
  );
}

/** The token lacks scopes: names all that it would need, including those that it has. */
export function insufficientScope(
  held: readonly OAuthScope[],
  ...needed: readonly OAuthScope[]
): ServiceError {
  return new ServiceError('AUTH_INSUFFICIENT_SCOPE', {
    scopes: [...new Set([...held, ...needed])],
  });
}

/** PostgreSQL stores no text with a NUL. */
export const HOLDS_NUL = {
  msg: 'Input should not hold a NUL character',
  type: 'value_error',
} as const;
