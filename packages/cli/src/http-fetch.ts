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
    body: { getReader: () => ({ read: () => nextPiece(answer), cancel }), cancel },
  };
}

type Piece = { done: false; value: Uint8Array } | { done: true };

/** One at a time, so that a slow reader holds back the service. An iterator would load more than it reads. */
function nextPiece(answer: IncomingMessage): Promise<Piece> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      const value: Uint8Array | null = answer.read();
      if (value === null && !answer.readableEnded && !answer.destroyed) return;
      for (const event of EVENTS) answer.off(event, settle);
      answer.off('error', reject);
      if (value !== null) resolve({ done: false, value });
      else if (answer.complete) resolve({ done: true });
      else reject(answer.errored ?? new Error('aborted'));
    };
    answer.once('error', reject);
    for (const event of EVENTS) answer.on(event, settle);
    settle();
  });
}

const EVENTS = ['readable', 'end', 'close'] as const;

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : [value].flat().join(', ');
}
