import {
  type ApiError,
  type ApiErrorCode,
  createApiError,
  type ErrorField,
} from '../errors/api-error.ts';
import { isNumber, isRecord, isString, like, listOf } from '../shape.ts';
import type { HttpResponse } from './http.ts';
import { retryAfterMs } from './retries/retry-after.ts';

/** The code for an error answer without the service's envelope, for example from a proxy. */
const FOREIGN_CODE = 'HTTP_ERROR';

/** The typed error for a non-2xx answer. Also accepts answers that a proxy wrote. */
export function errorFromResponse(response: HttpResponse, now: number): ApiError {
  const envelope = readEnvelope(response.body);
  const { status } = response;
  return createApiError({
    status,
    // The service may be newer than this table of codes.
    code: (text(envelope.code) ?? FOREIGN_CODE) as ApiErrorCode,
    message: text(envelope.message) ?? 'The answer is not an error of the service.',
    retryable: flag(envelope.retryable) ?? isTemporary(status),
    fields: fieldsOf(envelope.fields),
    providerErrorRef: text(envelope.provider_error_ref),
    upstreamStatus: integer(envelope.upstream_status),
    jobId: text(envelope.job_id),
    retryAfterMs: retryAfterMs({ headers: response.headers, body: envelope, now }),
    traceId: text(envelope.trace_id) ?? response.headers.get('x-trace-id'),
  });
}

function isTemporary(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function readEnvelope(body: string): Readonly<Record<string, unknown>> {
  try {
    const { error }: { readonly error?: unknown } = JSON.parse(body);
    return isRecord(error) ? error : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function integer(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function fieldsOf(fields: unknown): readonly ErrorField[] {
  return Array.isArray(fields) ? fields.filter(isErrorField) : [];
}

/** Messages repeat both, so a field without them is left out. */
const isErrorField = like({
  loc: listOf((part) => isString(part) || isNumber(part)),
  msg: isString,
});
