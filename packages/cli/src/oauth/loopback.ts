import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';

/** A listener on this machine for a single answer (RFC 8252, section 7.3). */
export interface Loopback extends AsyncDisposable {
  readonly redirectUri: string;
  /** The address to which the browser is redirected. */
  answer(signal: AbortSignal): Promise<URL>;
}

/**
 * Listens on loopback for the answer with this state. Any web page can call it too; without the
 * state it learns nothing, and the listener keeps waiting.
 */
export async function openLoopback(state: string, lastPage: string): Promise<Loopback> {
  const { promise, resolve } = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    // Not every path is an address: `//` is none.
    const address = URL.parse(request.url ?? '/', redirectUri);
    if (address === null || !isAnswer(request, address, state)) {
      send(response, 404, '');
      return;
    }
    send(response, 200, lastPage);
    resolve(address);
  });
  await new Promise<void>((listening, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  const redirectUri = `http://127.0.0.1:${port}${PATH}`;
  return {
    redirectUri,
    answer: (signal) => untilAborted(promise, signal),
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

function isAnswer({ method }: IncomingMessage, address: URL, state: string): boolean {
  const { pathname, searchParams } = address;
  return method === 'GET' && pathname === PATH && searchParams.get('state') === state;
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(text);
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject);
  });
}
