import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { errorEnvelope } from '../../requests/error-answer.ts';
import { invalidValue, ServiceError } from '../../rules/service-error.ts';
import { traceIdsOf } from '../trace-id.ts';

// Not an import, which reads every export of the module, and its `WebSocket` loads a whole client.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** How long a client may take to read the answer and to close its side, which it need not do. */
const LINGER_MS = 1_000;

const closing = new WeakSet<Socket>();

/** Input that is not HTTP never reaches a route but still gets the error envelope. */
export function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) socket.end(answerTo(error.code));
  closeSoon(socket);
}

/**
 * Node no longer counts the connection among its own, so nothing else would ever close it. What still comes in is
 * discarded: closing with bytes unread would reset the connection before the client has read the answer.
 */
function closeSoon(socket: Socket): void {
  if (socket.destroyed || closing.has(socket)) return;
  closing.add(socket);
  socket.resume();
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
}

function answerTo(code: string | undefined): string {
  const { traceId } = traceIdsOf(undefined, null);
  const error = unparsable(code);
  const body = JSON.stringify(errorEnvelope(error, traceId, 'ko'));
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json; charset=utf-8\r\nX-Trace-Id: ${traceId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
}

function unparsable(code: string | undefined): ServiceError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('The request took too long to arrive', 408);
    case 'HPE_HEADER_OVERFLOW':
      return refusal('The headers are too large', 431);
    default:
      return refusal('The request is not valid HTTP', 400);
  }
}

/** HTTP/1.1 demands one host. Of two lines Node reads the first, and a proxy before us may have checked the last. */
export function refusedHead({ raw }: Pick<FastifyRequest, 'raw'>): ServiceError | null {
  const { httpVersion, headers, rawHeaders } = raw;
  if (httpVersion === '1.1' && headers.host === undefined) {
    return invalidValue([{ loc: ['header', 'Host'], msg: 'Field required', type: 'missing' }]);
  }
  const repeated = SINGLE.find((name) => isRepeated(name, rawHeaders));
  if (repeated === undefined) return null;
  const msg = 'The header was sent more than once';
  return invalidValue([{ loc: ['header', repeated], msg, type: 'value_error' }]);
}

/** Headers that decide who is asked, and who asks. */
const SINGLE = ['Host', 'Authorization'] as const;

function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  const lowerName = name.toLowerCase();
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    if (sent?.length === name.length && sent.toLowerCase() === lowerName) count += 1;
  }
  return count > 1;
}

/** Node answers an `Expect` other than 100-continue with an empty 417; HTTP lets a server ignore it. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function refusal(msg: string, status: number): ServiceError {
  return new ServiceError(
    'VALIDATION_INVALID_FIELD',
    { fields: [{ loc: ['header'], msg, type: 'value_error' }] },
    status,
  );
}
