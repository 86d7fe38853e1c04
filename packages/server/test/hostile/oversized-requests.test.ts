import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [n.toString(36), 0]));

const jobs = { provider: 'bank_b', action: 'bank_b.accounts.list' };

describe('a body that costs more than it says', () => {
  it('is refused by its size before anybody parses 110,000 names at the login (D166)', async () => {
    const { status, body } = await server.call('POST', '/v1/auth/login', {
      body: members(110_000),
    });
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each([
    ['POST', '/v1/auth/login', 16],
    ['POST', '/v1/auth/register', 16],
    ['POST', '/v1/handoff/exchange', 16],
    ['POST', '/v1/jobs', 256],
    ['POST', '/mcp', 256],
    ['POST', '/v1/jobs/all-accounts', 1_024],
  ])('%s %s takes at most %i KiB (D166)', async (method, path, kib) => {
    const send = (bytes: number) =>
      server.call(method, path, { key: 'k', body: { a: 'x'.repeat(bytes - '{"a":""}'.length) } });
    expect((await send(kib * 1_024)).status).not.toBe(413);
    expect((await send(kib * 1_024 + 1)).status).toBe(413);
  });

  it.each([
    ['/v1/jobs', jobs],
    ['/v1/jobs/all-accounts', { ...jobs, action: 'bank_b.accounts.transaction_history.search' }],
  ])('%s refuses params of more than 1,000 values or 64 KiB (D166)', async (path, call) => {
    for (const params of [{ a: Array(1_000).fill(1) }, { a: 'x'.repeat(64 * 1_024) }]) {
      const { status, body } = await server.call('POST', path, {
        env: path.endsWith('all-accounts') ? 'real_test' : 'sandbox',
        key: 'k',
        body: { ...call, params },
      });
      expect([status, body.error.fields[0].loc]).toEqual([422, ['body', 'params']]);
    }
  });
});
