import { ACCOUNT_ERRORS } from './errors/account-errors.ts';
import { INSTITUTION_ERRORS } from './errors/institution-errors.ts';
import { JOB_ERRORS } from './errors/job-errors.ts';
import { REQUEST_ERRORS } from './errors/request-errors.ts';

export type { ErrorDefinition, ErrorSurface } from './errors/define-errors.ts';

/**
 * Every error code of the service, once (spec "Errors"; D47–D53, D141, D148).
 * VALIDATION_INVALID_FIELD answers 422 for shape and 400 for meaning; its row holds the 422.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCOUNT_ERRORS,
  ...JOB_ERRORS,
  ...INSTITUTION_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Is this string a code of the table? Codes from a newer server may not be. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
