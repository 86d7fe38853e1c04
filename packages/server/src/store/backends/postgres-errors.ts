import pg from 'pg';
import { HOLDS_NUL, ServiceError } from '../../rules/service-error.ts';
import { RetryTransactionError } from '../transactions/script.ts';

/** serialization_failure, deadlock_detected: the transaction did nothing and may run again. */
const CONFLICT = new Set(['40001', '40P01']);
/** feature_not_supported, which a prepared statement gets when another version changed its table. */
const STALE_PLAN = '0A000';
/** Where the server found that out. Its messages may be in Korean. */
const FINDS_STALE_PLAN = 'RevalidateCachedQuery';
/** character_not_in_repertoire and, inside JSON, untranslatable_character: a text that contains a NUL. */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);
/**
 * Server starting, stopping, full or out of disk; a lock or a statement that took too long; a
 * transaction that was ended because it idled; and sockets that break with the server.
 */
const UNAVAILABLE =
  /^(08\w{3}|53\w{3}|58030|57P0[123]|57014|55P03|25P0[34]|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EPIPE|EHOSTUNREACH|ENETUNREACH)$/;
/** The same, where `pg` has a message and no code. */
const CONNECTION_LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired)/;
/** lock_not_available: waited longer than lock_timeout. */
const LOCK_TIMEOUT = '55P03';
/** read_only_sql_transaction: the primary has become a standby, or an operator closed it. */
const READ_ONLY = '25006';
const INSUFFICIENT_PRIVILEGE = '42501';
/** protocol_violation, which poolers answer to settings that they do not pass on. */
const PROTOCOL_VIOLATION = '08P01';
const SILENT = 'Query read timeout';

/** A transaction that could not begin: nothing was written, whatever the connection does now. */
export class NotBegunError extends Error {
  override readonly name = 'NotBegunError';

  constructor(cause: unknown) {
    super('the transaction did not begin', { cause });
  }
}

/** The store's reaction to an error of PostgreSQL. */
export interface PostgresVerdict {
  /** Nothing was done: the same script may run again at once. */
  readonly retry: boolean;
  /** The connection is unusable. */
  readonly broken: boolean;
  /** Other connections of the pool are equally suspect: they have the same peer or the same stale plans. */
  readonly suspectAll: boolean;
  /** The database is temporarily unavailable; the caller may try later. */
  readonly unavailable: boolean;
}

/** Classifies an error that a script or `pg` threw. */
export function judge(error: unknown): PostgresVerdict {
  if (error instanceof NotBegunError) return judge(error.cause);
  const state = sqlState(error);
  const message = error instanceof Error ? error.message : '';
  const silent = message === SILENT;
  const stale = state === STALE_PLAN && routineOf(error) === FINDS_STALE_PLAN;
  const readOnly = state === READ_ONLY;
  const lost =
    silent || readOnly || CONNECTION_LOST.test(message) || /^(08|57P0|25P03|E[A-Z])/.test(state);
  return {
    retry: error instanceof RetryTransactionError || CONFLICT.has(state) || stale,
    broken: lost || stale,
    suspectAll: silent || stale || readOnly,
    unavailable: lost || UNAVAILABLE.test(state),
  };
}

/** Another transaction holds a lock longer than this one may wait. */
export function isLockTimeout(error: unknown): error is Error {
  return sqlState(error) === LOCK_TIMEOUT;
}

export function isReadOnly(error: unknown): error is Error {
  return sqlState(error) === READ_ONLY;
}

export function lacksPrivilege(error: unknown): error is Error {
  return sqlState(error) === INSUFFICIENT_PRIVILEGE;
}

export function isPoolerRefusal(error: unknown): error is Error {
  return sqlState(error) === PROTOCOL_VIOLATION;
}

/** The error that a caller can fix, when PostgreSQL refused a value. */
export function refusedText(error: unknown): ServiceError | null {
  if (!UNSTORABLE_TEXT.has(sqlState(error))) return null;
  const field = { loc: ['body'], ...HOLDS_NUL };
  return new ServiceError('VALIDATION_INVALID_FIELD', { fields: [field], cause: error }, 400);
}

/** A script's own refusal has a code too, and EMAIL_ALREADY_REGISTERED would look like EPIPE. */
function sqlState(error: unknown): string {
  if (!(error instanceof Error) || error instanceof ServiceError || !('code' in error)) return '';
  return String(error.code);
}

function routineOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.routine : undefined;
}
