import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A line to a server that can lose an answer: the request arrives, the connection breaks on the way back. */
export interface DroppingProxy {
  readonly url: string;
  dropNextAnswer(): void;
  close(): Promise<void>;
}

export async function startDroppingProxy(target: string): Promise<DroppingProxy> {
  let dropping = false;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const drop = dropping;
    dropping = false;
    const { method = 'GET', url = '/', headers } = incoming;
    const pieces: Uint8Array[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const answer = await fetch(new URL(url, target), {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? '',
        'idempotency-key': headers['idempotency-key']?.toString() ?? '',
      },
      body: Buffer.concat(pieces),
    });
    const body = await answer.text();
    if (drop) outgoing.destroy();
    else outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    dropNextAnswer() {
      dropping = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
