import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

it('writes no secret, whichever logger is used (D64)', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const headers = { authorization: 'hunter2', cookie: 'hunter2', 'x-api-key': 'hunter2' };
  logger.info({ headers, req: { headers }, authorization: 'hunter2' }, 'a request');
  logger.info({ password: 'hunter2', client_secret: 'hunter2', clientSecret: 'hunter2' }, 'a key');
  logger.info({ access_token: 'hunter2', trace_id: 'kept' }, 'a token');
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines.join('')).toContain('kept');
});
