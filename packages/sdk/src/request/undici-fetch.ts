import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { FetchAnswer, ResponseHeaders } from './http.ts';

/** What ofetch hands to its fetch. */
export interface SentRequest {
  readonly method: string;
  readonly headers: SentHeaders;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
}

/** Request headers under lower-case names. undici's class sorts and checks what `checkHeaders` already checked. */
export class SentHeaders extends Map<string, string> {
  constructor(headers: Readonly<Record<string, string>> = {}) {
    super();
    for (const name in headers) this.set(name.toLowerCase(), headers[name] ?? '');
  }
}

type Request = typeof import('undici').request;

/**
 * A fetch over `undici.request`, which costs a quarter of `undici.fetch`: it makes no web streams and no Request and
 * Response objects. What is left out of the standard is what the SDK refuses or does itself: redirects, time-outs, CORS.
 */
export function undiciFetch(request: Request) {
  return async (url: string, sent: SentRequest): Promise<FetchAnswer> => {
    const { method, headers, body = null, signal, dispatcher } = sent;
    // Bytes of a range are those of the file, not of a compressed form.
    headers.set('accept-encoding', headers.has('range') ? 'identity' : 'gzip, br');
    const options = { method, headers, body, signal, dispatcher } as const;
    return answerOf(await request(url, options));
  };
}

async function answerOf(answer: Dispatcher.ResponseData): Promise<FetchAnswer> {
  const headers = new ReceivedHeaders(answer.headers);
  const coding = headers.get('content-encoding');
  const body = coding === null ? answer.body : await decoded(answer.body, coding);
  return { status: answer.statusCode, headers, body: bodyOf(body) };
}

class ReceivedHeaders implements ResponseHeaders {
  readonly #received: Dispatcher.ResponseData['headers'];

  constructor(received: Dispatcher.ResponseData['headers']) {
    this.#received = received;
  }

  get(name: string): string | null {
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.#received, key) ? this.#received[key] : undefined;
    return value === undefined ? null : [value].flat().join(', ');
  }

  *entries(): Generator<readonly [string, string], void, void> {
    for (const name of Object.keys(this.#received)) yield [name, this.get(name) ?? ''];
  }
}

/** A proxy on the way may have compressed what the service sent plain. */
async function decoded(body: Readable, coding: string): Promise<Readable> {
  const [{ pipeline }, zlib] = await Promise.all([import('node:stream'), import('node:zlib')]);
  const decoder = coding === 'br' ? zlib.createBrotliDecompress() : zlib.createUnzip();
  // Whoever reads the decoder meets the error.
  return pipeline(body, decoder, () => {});
}

type Piece = { done: false; value: Uint8Array } | { done: true };

function bodyOf(stream: Readable): NonNullable<FetchAnswer['body']> {
  // Whoever reads learns of a failure from `read`; a body that is left must not end the process.
  stream.on('error', () => {});
  const cancel = async () => void stream.destroy();
  return { getReader: () => ({ read: () => nextPiece(stream), cancel }), cancel };
}

/** One at a time, so that a slow reader holds back the service. */
function nextPiece(stream: Readable): Promise<Piece> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      const value: Uint8Array | null = stream.read();
      if (value !== null) resolve({ done: false, value });
      else if (stream.errored) reject(stream.errored);
      else if (stream.readableEnded) resolve({ done: true });
      else if (stream.destroyed) reject(new Error('aborted'));
      else return;
      for (const event of EVENTS) stream.off(event, settle);
    };
    for (const event of EVENTS) stream.on(event, settle);
    settle();
  });
}

const EVENTS = ['readable', 'end', 'error', 'close'] as const;
