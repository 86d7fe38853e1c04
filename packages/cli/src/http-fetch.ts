import type { IncomingMessage } from 'node:http';
import type { Fetch, FetchAnswer } from '@changgu/sdk';

/** The same as in the SDK's own transport. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The SDK's requests over node:http and node:https. Node's fetch, and the undici package, cost more to load than
 * everything else that a command does (bench/cli.ts). Idle connections do not keep the process alive.
 */
export const httpFetch: Fetch = async (url, { method, headers, body, signal }) => {
  const secure = url.startsWith('https:');
  // Not import(), which reads every export of a Node module, and `WebSocket` of node:http loads Node's undici.
  const { request } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal, timeout: CONNECT_TIMEOUT_MS };
    const sent = request(url, options, (answer) => resolve(toAnswer(answer)));
    // Node does this by itself except for DELETE, whose body would look like the next request.
    if (body !== null) sent.setHeader('content-length', Buffer.byteLength(body));
    sent.on('error', reject);
    // Silence alone is not a failure, because a long poll is silent.
    sent.on('timeout', () => {
      if (sent.socket?.connecting) sent.destroy(new ConnectTimeout());
    });
    sent.end(body);
  });
};

class ConnectTimeout extends Error {
  /** Node's own code for this; to the SDK it means that nothing was sent. */
  readonly code = 'ERR_SOCKET_CONNECTION_TIMEOUT';
}

function toAnswer(answer: IncomingMessage): FetchAnswer {
  const cancel = async () => void answer.destroy();
  return {
    status: answer.statusCode ?? 0,
    headers: {
      get: (name) => headerOf(answer, name),
      entries: () =>
        Object.keys(answer.headers).map((name) => [name, headerOf(answer, name) ?? '']),
    },
    body: {
      getReader() {
        const chunks: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
        return {
          async read() {
            const { done, value } = await chunks.next();
            return done ? { done } : { done: false, value };
          },
          cancel,
        };
      },
      cancel,
    },
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : [value].flat().join(', ');
}
