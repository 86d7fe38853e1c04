import { connect } from 'node:net';
import { operations } from '@changgu/contract/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { route } from '../../src/http/route.ts';
import { ServiceError } from '../../src/rules/service-error.ts';
import { HEADERS, jobsApp, submit } from '../support/jobs-app.ts';
import { postMcp, toolCall } from '../support/mcp-call.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { RATE_LIMIT: '50/3600', MAX_CONNECTIONS: '2' } });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a stranger who sends much', () => {
  it('is one caller under all addresses of a /64, and another /64 is not touched (D166)', async () => {
    const app = jobsApp({ trustProxy: 1 });
    const guess = (host: number | string, network = '2001:db8:1:2') =>
      submit(
        {
          headers: {
            ...HEADERS,
            authorization: 'Basic bad',
            'x-forwarded-for': `${network}::${host.toString(16)}`,
          },
        },
        app,
      );
    for (let n = 1; n <= 300; n += 1) expect((await guess(n)).status).toBe(401);
    expect((await guess('ffff')).status).toBe(429);
    expect((await guess(1, '2001:db8:1:3')).status).toBe(401);
  });

  it('guessed keys lock no one out of the console, nor the other way round (D166)', async () => {
    const app = jobsApp();
    const { login } = operations.account;
    const refusal = async () => {
      throw new ServiceError('AUTH_INVALID_CREDENTIALS');
    };
    route(app, login, refusal, { limitAddress: true });
    const body = { email: 'a@example.com', password: 'x' };
    const guessKey = async () =>
      (await submit({ headers: { ...HEADERS, authorization: 'Basic bad' } }, app)).status;
    const guessPassword = async () =>
      (await app.fastify.inject({ method: 'POST', url: login.path, payload: body })).statusCode;
    for (let n = 0; n < 300; n += 1) await guessKey();
    expect([await guessKey(), await guessPassword()]).toEqual([429, 401]);
    for (let n = 1; n < 300; n += 1) await guessPassword();
    expect([await guessPassword(), (await submit({}, app)).status]).toEqual([429, 202]);
  });

  it('is in the audit log of the service once, however often the address is refused (D166)', async () => {
    await using own = await startTestServer();
    const guess = async () =>
      (await own.call('GET', '/v1/jobs', { headers: { authorization: 'Basic bad' } })).status;
    // The minute may end in between.
    while ((await guess()) !== 429);
    for (let n = 0; n < 20; n += 1) await guess();
    const { body } = await own.call('GET', '/v1/admin/audit?act=address.limit', {
      headers: { authorization: `Bearer ${own.adminToken}` },
    });
    expect(body.items).toMatchObject([
      { actor_kind: 'system', actor_id: 'authentication', address: '127.0.0.1' },
    ]);
  });

  it('pays for every message of a batch (D166)', async () => {
    const batch = Array.from({ length: 20 }, (_, id) => toolCall('changgu__job__result', {}, id));
    const first = await postMcp(server, batch);
    expect(first.headers.get('ratelimit')).toContain('r=30;');
    expect((await postMcp(server, batch)).headers.get('ratelimit')).toContain('r=10;');
    const third = await postMcp(server, batch);
    expect(JSON.stringify(third.body)).toContain('RATE_LIMITED');
  });

  it('gets no more connections than the server keeps (D166)', async () => {
    const { port } = new URL(server.url);
    const sockets = Array.from({ length: 12 }, () => connect(Number(port), '127.0.0.1'));
    const dropped = sockets.map(
      (socket) =>
        new Promise<void>((resolve) =>
          socket.on('error', () => resolve()).on('close', () => resolve()),
        ),
    );
    await expect(Promise.any(dropped)).resolves.toBeUndefined();
    for (const socket of sockets) socket.destroy();
    await Promise.all(dropped);
  });
});

it('tells who finds a hole where to report it', async () => {
  const contact = 'mailto:security@example.com';
  await using open = await startTestServer({ env: { SECURITY_CONTACT: contact } });
  const answer = await fetch(new URL('/.well-known/security.txt', open.url));
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  expect(text).toContain(`Contact: ${contact}\n`);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});
