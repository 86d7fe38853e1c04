import { NEXT_STEP_TERMS, nextStepOf } from '@changgu/contract';
import { ERRORS, isErrorCode } from '@changgu/contract/errors';
import { FAKE_PROGRESS } from './fake-progress.ts';

/** What a fake operation answers. */
export interface FakeAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as a fake operation sees it. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly text: string;
  readonly signal: AbortSignal | null;
}

export interface ViolatedField {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Thrown by fake operations; becomes the error envelope. */
export class FakeRefusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: readonly ViolatedField[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: string,
    details: {
      status?: number;
      fields?: readonly ViolatedField[];
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(code);
    this.code = code;
    this.status = details.status ?? (isErrorCode(code) ? (ERRORS[code].status ?? 500) : 500);
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  toAnswer(traceId: string): FakeAnswer {
    const known = isErrorCode(this.code) ? ERRORS[this.code] : null;
    const seconds = this.retryAfterSeconds;
    const retryable = known?.retryable ?? false;
    return {
      status: this.status,
      body: {
        error: {
          code: this.code,
          message: known?.ko ?? this.code,
          retryable,
          next_action: nextStepOf({ code: this.code, retryable }, NEXT_STEP_TERMS.http).ko,
          provider_error_ref: null,
          trace_id: traceId,
          ...(this.fields ? { fields: this.fields } : {}),
        },
      },
      headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
    };
  }
}

/** The same answer with its error, of the call or of a job, and the progress of its job in English. */
export function inEnglish(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const items = 'items' in body && Array.isArray(body.items) ? body.items.map(inEnglish) : null;
  return {
    ...body,
    ...('error' in body ? { error: errorInEnglish(body.error) } : {}),
    ...('progress_message' in body
      ? { progress_message: progressInEnglish(body.progress_message) }
      : {}),
    ...(items ? { items } : {}),
  };
}

function progressInEnglish(message: unknown): unknown {
  return Object.values(FAKE_PROGRESS).find(({ ko }) => ko === message)?.en ?? message;
}

function errorInEnglish(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('code' in error)) return error;
  const { code } = error;
  if (typeof code !== 'string' || !isErrorCode(code)) return error;
  const { en: message, retryable } = ERRORS[code];
  const advice =
    'next_action' in error
      ? { next_action: nextStepOf({ code, retryable }, NEXT_STEP_TERMS.http).en }
      : {};
  return { ...error, message, ...advice };
}

export function invalidField(
  status: 400 | 422,
  loc: readonly (string | number)[],
  type = 'value_error',
  msg = 'Value error',
): FakeRefusal {
  return new FakeRefusal('VALIDATION_INVALID_FIELD', { status, fields: [{ loc, msg, type }] });
}

/** ISO-8601 with milliseconds and the +09:00 offset. */
export function kstTime(milliseconds: number): string {
  return new Date(milliseconds + 9 * 3600_000).toISOString().replace('Z', '+09:00');
}
