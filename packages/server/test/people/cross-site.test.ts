import { OPERATIONS, type Operation } from '@changgu/contract/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
/** Of a browser in which an owner is signed in. */
let cookie = '';
let csrf = '';

beforeAll(async () => {
  server = await startTestServer({ env: { RATE_LIMIT: '100000/60' } });
  const { email, password } = await newPerson(server);
  const { headers, body } = await server.call('POST', '/v1/auth/login', {
    body: { email, password, cookie: true },
    headers: { origin: server.url },
  });
  cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  csrf = body.csrf_token;
});
afterAll(() => server[Symbol.asyncDispose]());

async function codeOf({ method, path }: Operation, headers: Record<string, string>) {
  const url = new URL(path.replaceAll(/\{\w+\}/g, '1'), server.url);
  const answer = await fetch(url, {
    method,
    headers: { cookie, 'x-env-scope': 'sandbox', 'idempotency-key': 'k', ...headers },
  });
  const body: { error?: { code: string } } = await answer.json();
  return body.error?.code;
}

const WRITING = OPERATIONS.filter(
  ({ method, may }) => method !== 'GET' && may !== 'anyone' && may.console_user !== undefined,
);

describe.each(WRITING)('$method $path', (operation) => {
  it('is not done for a page of another site, with or without the token', async () => {
    const [refused, ...attempts] = [
      'AUTH_CSRF_REFUSED',
      { origin: server.url },
      { origin: server.url, 'x-csrf-token': `${csrf.slice(1)}A` },
      { origin: 'https://evil.example', 'x-csrf-token': csrf },
      { origin: 'null', 'x-csrf-token': csrf },
      { 'x-csrf-token': csrf },
    ] as const;
    for (const headers of attempts) expect(await codeOf(operation, headers)).toBe(refused);
  });
});

it('walks every operation that changes something', () => {
  expect(WRITING.length).toBeGreaterThan(40);
});

it.each(['/console', '/console/keys', '/docs', '/v1/auth/session'])(
  'no page of another site frames %s',
  async (path) => {
    const { headers } = await fetch(new URL(path, server.url));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);
