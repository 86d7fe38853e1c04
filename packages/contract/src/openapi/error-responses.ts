import type { Operation } from '../define-operation.ts';
import { inTermsOf, NEXT_STEP_TERMS } from '../errors/next-step.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Language } from '../language.ts';

/** Of every call that was admitted by its credentials. */
export const RATE_HEADERS = ['RateLimit', 'RateLimit-Policy'] as const;

const HEADERS_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const HEADERS_OF_CODE: Partial<Record<ErrorCode, readonly string[]>> = {
  JOB_NOT_SUCCEEDED: ['Retry-After'],
};

/** Every code that an operation can return: its own, and those of its kind. */
export function codesOf(operation: Operation): readonly ErrorCode[] {
  const { may, environment, body, method, errors } = operation;
  const codes: ErrorCode[] = ['VALIDATION_INVALID_FIELD'];
  if (may !== 'anyone') codes.push('AUTH_INVALID_CREDENTIALS', 'AUTH_FORBIDDEN_PRINCIPAL');
  if (may !== 'anyone' && may.client && environment !== 'none')
    codes.push('POLICY_ENV_NOT_ALLOWED');
  if (may !== 'anyone' && may.console_user && !operation.withoutFactor)
    codes.push('AUTH_FACTOR_MISSING');
  if (may !== 'anyone' && may.console_user && method !== 'GET') codes.push('AUTH_CSRF_REFUSED');
  if (operation.scope) codes.push('AUTH_INSUFFICIENT_SCOPE');
  if (body) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  // Health, the documents and signed downloads are exempt.
  if (may !== 'anyone' || method !== 'GET') codes.push('RATE_LIMITED');
  return [
    ...new Set([...codes, ...errors, 'INTERNAL_ERROR' as const, 'SERVICE_UNAVAILABLE' as const]),
  ];
}

/** An operation's error answers, grouped by status, each with its codes. */
export function errorResponsesOf(
  operation: Operation,
  toSchema: (schema: object) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(operation)) {
    for (const status of statusesOf(code, operation)) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  const isLimited = operation.may !== 'anyone';
  return Object.fromEntries(
    sorted.map(([status, codes]) => {
      const other = operation.errorSchemas?.[status];
      const bodies = [ENVELOPE, ...(other === undefined ? [] : [toSchema(other)])];
      return [status, responseOf(status, codes, bodies, isLimited)];
    }),
  );
}

/** One example per code, as `components.examples`. */
export function errorExamples(codes: Iterable<ErrorCode>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries([...new Set(codes)].sort().map((code) => [code, exampleOf(code)]));
}

/** VALIDATION_INVALID_FIELD is 400 for meaning and 422 for shape, where there is a shape. */
function statusesOf(code: ErrorCode, { params, query, body }: Operation): readonly number[] {
  if (code === 'VALIDATION_INVALID_FIELD') return params || query || body ? [400, 422] : [400];
  const { status } = ERRORS[code];
  if (status === null) throw new Error(`${code} occurs only in job.error and cannot be an answer`);
  return [status];
}

const ENVELOPE: JsonSchema = { $ref: '#/components/schemas/ErrorEnvelope' };

function responseOf(
  status: number,
  codes: readonly ErrorCode[],
  bodies: readonly JsonSchema[],
  isLimited: boolean,
): JsonSchema {
  const names = new Set([
    'X-Trace-Id',
    ...(HEADERS_OF_STATUS[status] ?? []),
    ...codes.flatMap((code) => HEADERS_OF_CODE[code] ?? []),
    // Whose credentials are wrong has no limit of their own.
    ...(isLimited && status !== 401 ? RATE_HEADERS : []),
  ]);
  return {
    description: codes
      .map((code) => `\`${code}\`: ${ERRORS[code].en} ${nextAction(code, 'en')}`)
      .join('\n\n'),
    headers: Object.fromEntries(
      [...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: {
      'application/json': {
        schema: bodies.length === 1 ? ENVELOPE : { anyOf: bodies },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
    'x-error-codes': codes,
  };
}

function exampleOf(code: ErrorCode): JsonSchema {
  const { ko, en, retryable } = ERRORS[code];
  const fields = [{ loc: ['body', 'action'], msg: 'Field required', type: 'missing' }];
  return {
    summary: en,
    value: {
      error: {
        code,
        message: ko,
        retryable,
        next_action: nextAction(code, 'ko'),
        provider_error_ref: null,
        trace_id: 'trc_4bf92f3577b34da6a3ce929d0e0e4736',
        ...(code === 'VALIDATION_INVALID_FIELD' ? { fields } : {}),
      },
    },
  };
}

function nextAction(code: ErrorCode, language: Language): string {
  return inTermsOf(ERRORS[code].nextStep, NEXT_STEP_TERMS.http)[language];
}
