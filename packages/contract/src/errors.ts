import { ACCOUNT_ERRORS } from './errors/account-errors.ts';
import { INSTITUTION_ERRORS } from './errors/institution-errors.ts';
import { JOB_ERRORS } from './errors/job-errors.ts';
import { REQUEST_ERRORS } from './errors/request-errors.ts';

export type { ErrorDefinition, ErrorSurface } from './errors/define-errors.ts';

/**
 * Every error code of the service.
 * VALIDATION_INVALID_FIELD answers 422 for shape and 400 for meaning; its row holds the 422.
 */
export const ERRORS = /* @__PURE__ */ (() =>
  // Bundlers can drop a call marked as pure, but never an object with spreads.
  ({ ...REQUEST_ERRORS, ...ACCOUNT_ERRORS, ...JOB_ERRORS, ...INSTITUTION_ERRORS }) as const)();

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = /* @__PURE__ */ Object.keys(ERRORS) as ErrorCode[];

/** Whether this string is a code of the table. Codes from a newer server may not be. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
