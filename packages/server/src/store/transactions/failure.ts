import { AssertionError } from 'node:assert';
import type { ErrorCode } from '@changgu/contract';
import { ServiceError, type ServiceErrorDetails } from '../../rules/service-error.ts';
import { RetryTransactionError } from './script.ts';

/** When a caller may retry after the database was unavailable. */
const RETRY_AFTER_SECONDS = 1;

/** An error as plain data, because structured cloning keeps only a ServiceError's text. */
export type Failure =
  | {
      readonly kind: 'service';
      readonly code: ErrorCode;
      readonly status: number;
      readonly details: ServiceErrorDetails;
      /** The cause, for the log. */
      readonly cause: Failure | undefined;
    }
  | {
      readonly kind: 'other';
      /** A command prints these in one line. */
      readonly name: string;
      readonly code: string | undefined;
      readonly message: string;
      readonly stack: string | undefined;
    };

/** For the thread of SQLite, which has one writer: between its reading and its writing no script loses a race. */
export function toFailure(error: unknown): Failure {
  if (error instanceof RetryTransactionError) {
    return toFailure(new AssertionError({ message: 'a script of the only writer lost a race' }));
  }
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
  return { kind: 'other', name, code: codeOf(error), message, stack };
}

/** SQLite has one `code` for everything, so its result code stands in for it: the log shows nothing else. */
function codeOf(error: Error): string | undefined {
  if ('errcode' in error) return `SQLITE_${Number(error.errcode)}`;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
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

/** 503: the database cannot be reached, is busy or is full; the same request may work later. */
export function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(isFull(cause) ? { message: FULL } : {}),
  });
}

const FULL = {
  ko: '서버의 저장 공간이 부족하여 요청을 처리할 수 없습니다. 잠시 후 다시 시도하십시오.',
  en: 'The database has no disk space left. Try again later.',
};

/** SQLITE_FULL, PostgreSQL's disk_full, and the system's ENOSPC. */
function isFull(error: unknown): boolean {
  return codesOf(error).some((code) => ['13', '53100', 'ENOSPC'].includes(code));
}

/** SQLITE_BUSY and SQLITE_LOCKED: another connection is writing. */
export function isBusy(error: unknown): boolean {
  return codesOf(error).some((code) => ['5', '6'].includes(code));
}

/** `errcode` is SQLite's result code, whose low byte is the kind; all others use `code`. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const sqlite = 'errcode' in error ? [String(Number(error.errcode) & 0xff)] : [];
  return 'code' in error ? [...sqlite, String(error.code)] : sqlite;
}
