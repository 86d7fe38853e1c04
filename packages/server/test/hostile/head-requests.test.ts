import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ links: true });
});
afterAll(() => server[Symbol.asyncDispose]());

const head = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, server.url), {
    method: 'HEAD',
    headers: { ...server.headers('real_test'), ...headers },
  });

describe('HEAD', () => {
  it('answers as GET where that only reads', async () => {
    for (const path of ['/v1/jobs', '/v1/membership/me', '/v1/institutions', '/openapi.json']) {
      expect((await head(path)).status, path).toBe(200);
    }
  });

  it.each([
    ['a stream', '/v1/events'],
    ['a file', '/v1/artifacts/art_01JD0000000000000000000000/download?exp=1&sig=x'],
    ['a whole log', '/v1/audit/export'],
    ['a job', '/tax_portal/products/v1/a/s1/user/info'],
  ])('answers 405 where GET opens %s (D53)', async (_what, path) => {
    const { status, headers } = await head(path, { accept: 'text/event-stream' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  });
});
