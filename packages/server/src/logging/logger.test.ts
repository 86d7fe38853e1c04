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

it('writes class, code and frames of an error, however it is logged, and nothing that it says (D64)', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const error = Object.assign(new TypeError('hunter2'), { code: 'EPIPE', form: 'hunter2' });
  logger.error(error);
  logger.error(error, 'sending failed');
  logger.error({ err: error, trace_id: 'kept' });
  logger.child({ part: 'kept' }).error({ err: error }, error.message);
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(JSON.parse(line).fault).toMatchObject({ type: 'TypeError', code: 'EPIPE' });
    expect(line).not.toContain('hunter2');
  }
  expect(lines[1]).toContain('sending failed');
  expect(lines[2]).toContain('kept');
});

it('leaves other lines as they are, with the values of their text', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  logger.info('listening at %s', 'here');
  logger.info({ url: 'there' }, 'ready');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'listening at here' },
    { url: 'there', msg: 'ready' },
  ]);
});
