import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';

/** A client that never closes its side, and the same connection as the server sees it. */
async function open() {
  const { fastify } = testApp();
  const url = new URL(await fastify.listen({ host: '127.0.0.1', port: 0 }));
  const accepted: Promise<Socket[]> = once(fastify.server, 'connection');
  const client = connect({ port: Number(url.port), host: '127.0.0.1', allowHalfOpen: true });
  const [served] = await accepted;
  if (served === undefined) throw new Error('no connection');
  const end = async () => {
    client.destroy();
    await fastify.close();
  };
  return { server: fastify.server, client, served, end };
}

describe('a request that is not HTTP', () => {
  it('is answered, and its connection ends although the client keeps its side open', async () => {
    const { client, served, end } = await open();
    const closed = once(served, 'close');
    client.write('\0\r\n');
    expect(await text(client)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    await closed;
    await end();
  });

  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'took too long'],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'too large'],
  ])('says by its status what was wrong: %s', async (code, status, message) => {
    const { server, client, served, end } = await open();
    server.emit('clientError', Object.assign(new Error('refused'), { code }), served);
    const answer = await text(client);
    expect(answer).toContain(`HTTP/1.1 ${status}\r\n`);
    expect(answer).toContain(message);
    await end();
  });

  it.each([
    ['names no host', 'Connection: close\r\n', 400, ['header', 'Host']],
    ['names two hosts', 'Host: a\r\nhost: b\r\nConnection: close\r\n', 400, ['header', 'Host']],
    [
      'names two callers',
      'Host: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\nConnection: close\r\n',
      400,
      ['header', 'Authorization'],
    ],
    ['expects what we do not know', 'Host: a\r\nExpect: cake\r\nConnection: close\r\n', 404, null],
  ])('that %s has the error envelope too (R122)', async (_, headers, status, loc) => {
    const { client, end } = await open();
    client.write(`GET /nowhere HTTP/1.1\r\n${headers}\r\n`);
    const [head = '', body = ''] = (await text(client)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    const { error } = JSON.parse(body);
    expect(error.trace_id).toMatch(/^trc_/);
    expect(error.fields?.[0].loc ?? null).toEqual(loc);
    await end();
  });

  it('too long in its headers is answered to a client that is still sending them', async () => {
    const { client, end } = await open();
    client.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(2_000_000)}`);
    expect(await text(client)).toMatch(/^HTTP\/1\.1 431 /);
    await end();
  });
});
