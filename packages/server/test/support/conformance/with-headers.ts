import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The suite can send no credentials: this is the endpoint with these headers added to every request. */
export async function withHeaders(url: string, headers: Readonly<Record<string, string>>) {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers: sent } = incoming;
    const call = request(url, { method, headers: { ...sent, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has one.
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => void proxy.close() };
}
