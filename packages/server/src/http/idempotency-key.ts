import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@changgu/contract';
import { invalidValue, ServiceError } from '../rules/service-error.ts';
import { isSendableKey } from '../rules/submission/idempotency-key.ts';

/**
 * A request's Idempotency-Key, trimmed; null when there is none.
 * @throws ServiceError 400 when it is too long, not ASCII, or sent twice: Node would join two lines as "a, b"
 */
export function readIdempotencyKey(message: IncomingMessage): string | null {
  const lines = message.rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.toLowerCase() === 'idempotency-key',
  );
  if (lines.length > 1) throw refused('The header was sent more than once', 'value_error');
  const header = message.headers['idempotency-key'];
  const key = typeof header === 'string' ? trimmed(header) : '';
  if (key === '') return null;
  const { max } = LIMITS.idempotencyKey;
  if (key.length > max)
    throw refused(`String should have at most ${max} characters`, 'string_too_long');
  if (!isSendableKey(key)) throw refused('Only ASCII characters are allowed', 'value_error');
  return key;
}

/** @throws ServiceError IDEMPOTENCY_KEY_REQUIRED when it is missing */
export function requireIdempotencyKey(message: IncomingMessage): string {
  const key = readIdempotencyKey(message);
  if (key === null) throw new ServiceError('IDEMPOTENCY_KEY_REQUIRED');
  return key;
}

/**
 * Without what HTTP allows around a value, which a no-break space is not. No pattern: one that looks for an end begins
 * anew at each space.
 */
function trimmed(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isPadding(value[start])) start += 1;
  while (end > start && isPadding(value[end - 1])) end -= 1;
  return value.slice(start, end);
}

function isPadding(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function refused(msg: string, type: string): ServiceError {
  return invalidValue([{ loc: ['header', 'Idempotency-Key'], msg, type }]);
}
