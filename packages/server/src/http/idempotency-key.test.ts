import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

function withKey(key: string): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.headers['idempotency-key'] = key;
  return message;
}

it('trims a key in one pass, however many spaces it has inside (D27)', () => {
  expect(readIdempotencyKey(withKey(' \tk 7\t '))).toBe('k 7');
  expect(readIdempotencyKey(withKey(' \t'))).toBeNull();
  // A pattern that begins anew at each of these spaces takes minutes.
  const spaces = ' '.repeat(500_000);
  expect(() => readIdempotencyKey(withKey(`a${spaces}b`))).toThrow(ServiceError);
  expect(readIdempotencyKey(withKey(`${spaces}k${spaces}`))).toBe('k');
});
