import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of an answer on its way from the portal. */
export type Break = 'reset' | 'half a body' | 'silence' | 'no page';

export interface BreakingLine {
  readonly url: string;
  /** Every request as `GET /path`, in the order of arrival. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/**
 * A line to a portal, which performs every request. `breakOf` decides about each answer; `onSilence` is called when
 * the caller begins to wait for one that never comes.
 */
export async function startBreakingLine(
  target: string,
  breakOf: (asked: readonly string[]) => Break | null,
  onSilence: () => void = () => {},
): Promise<BreakingLine> {
  const asked: string[] = [];

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    asked.push(`${incoming.method} ${incoming.url}`);
    const kind = breakOf(asked);
    const answer = await askPortal(target, incoming);
    const pieces: Uint8Array[] = [];
    for await (const piece of answer) pieces.push(piece);
    if (kind === 'silence') return onSilence();
    send(outgoing, answer, Buffer.concat(pieces), kind);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function askPortal(target: string, incoming: IncomingMessage): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url ?? '/', target), { method, headers, agent: false });
    onward.on('response', resolve).on('error', reject);
    incoming.pipe(onward);
  });
}

function send(
  outgoing: ServerResponse,
  { statusCode = 200, headers }: IncomingMessage,
  body: Buffer,
  kind: Exclude<Break, 'silence'> | null,
): void {
  if (kind === 'reset') {
    outgoing.destroy();
  } else if (kind === 'half a body') {
    const half = body.subarray(0, body.length / 2);
    outgoing.writeHead(statusCode, { ...headers, 'content-length': body.length });
    outgoing.write(half, () => outgoing.destroy());
  } else if (kind === 'no page') {
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>');
  } else {
    outgoing.writeHead(statusCode, headers).end(body);
  }
}
