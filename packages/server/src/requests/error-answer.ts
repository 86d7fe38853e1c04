import { NEXT_STEP_TERMS, nextStepOf } from '@changgu/contract';
import type { ErrorEnvelope } from '@changgu/contract/schemas';
import type { FieldViolation } from '../rules/service-error.ts';
import { invalidValue, ServiceError } from '../rules/service-error.ts';
import type { Language } from './language.ts';

/** The one body of every error answer. */
export function errorEnvelope(
  error: ServiceError,
  traceId: string,
  language: Language,
): ErrorEnvelope {
  const { fields, providerErrorRef, upstreamStatus, jobId } = error.details;
  return {
    error: {
      code: error.code,
      message: error.text(language),
      retryable: error.retryable,
      next_action: nextStepOf(error, NEXT_STEP_TERMS.http)[language],
      provider_error_ref: providerErrorRef ?? null,
      trace_id: traceId,
      ...(fields === undefined ? {} : { fields: fields.map(wireField) }),
      ...(upstreamStatus === undefined ? {} : { upstream_status: upstreamStatus }),
      ...(jobId === undefined ? {} : { job_id: jobId }),
    },
  };
}

function wireField({ loc, msg, type }: FieldViolation) {
  return { loc: [...loc], msg, type };
}

/** Any thrown value as an error of ours, including the framework's and unknown ones. */
export function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return frameworkError(codeOf(thrown)) ?? new ServiceError('INTERNAL_ERROR', { cause: thrown });
}

function frameworkError(code: string | undefined): ServiceError | null {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('PAYLOAD_TOO_LARGE');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return unreadable('body', 'The body does not match Content-Length');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ServiceError('RESOURCE_NOT_FOUND');
    case 'FST_ERR_BAD_URL':
      return unreadable('path', 'The path is not valid');
    case 'ECONNRESET':
    case 'ECONNABORTED':
      return unreadable('body', 'The request ended early');
    default:
      return null;
  }
}

function unreadable(part: string, msg: string): ServiceError {
  return invalidValue([{ loc: [part], msg, type: 'value_error' }]);
}

function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
