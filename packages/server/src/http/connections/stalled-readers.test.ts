import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { operations } from '@changgu/contract/schemas';
import { expect, it } from 'vitest';
import { testApp } from '../../../test/support/http-app.ts';
import { route } from '../route.ts';
import { closeInTime } from './close-in-time.ts';

/** An app with an answer without end, which its one client has begun to get and does not read. */
async function stalled(options: Parameters<typeof testApp>[0] = {}) {
  const app = testApp(options);
  const body = Readable.from(endless(), { objectMode: false });
  const closed = once(body, 'close');
  route(app, operations.artifacts.downloadArtifact, async () => ({ status: 200, body }));
  const url = new URL(await app.fastify.listen({ host: '127.0.0.1', port: 0 }));
  const client = connect(Number(url.port), '127.0.0.1').on('error', () => {});
  client.write('GET /v1/artifacts/a/download HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(body, 'resume');
  return { ...app, client, closed };
}

function* endless() {
  for (;;) yield Buffer.alloc(65_536);
}

it('closes the connection of a client that has stopped reading its answer', async () => {
  const { fastify, client, closed } = await stalled({ silentMs: 50 });
  await expect(closed).resolves.toBeDefined();
  client.destroy();
  await fastify.close();
});

it('ends in its time although a client does not read its answer (D03)', async () => {
  const { fastify, client, closed } = await stalled();
  await expect(closeInTime(fastify, 0)).resolves.toBeUndefined();
  await closed;
  client.destroy();
});
