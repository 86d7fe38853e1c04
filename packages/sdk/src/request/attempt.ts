import { ChangguError } from '../errors/changgu-error.ts';
import {
  ConfigurationError,
  InvalidResponseError,
  RedirectRefusedError,
} from '../errors/transport-errors.ts';
import type { AttemptClocks } from './attempt-clocks.ts';
import { connectionFailure } from './connection-failure.ts';
import type { FetchAnswer, HttpRequest, HttpResponse, Transport } from './http.ts';
import { untilAborted } from './until-aborted.ts';

/** More than any answer of the service; an endless body would fill the memory before a clock expires. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * One request with its whole body. The caller runs it under the clocks, together with the middleware around it.
 * @throws RedirectRefusedError, InvalidResponseError for a body above 64 MiB; ConfigurationError for an invalid header
 */
export function sendOnce(
  transport: Transport,
  request: HttpRequest,
  clocks: AttemptClocks,
): Promise<HttpResponse> {
  checkHeaders(request.headers);
  return fromTransport(async () => {
    const response = await openResponse(transport, request);
    const body = await readText(response, clocks);
    return { status: response.status, headers: response.headers, body };
  });
}

/** A transport would quote the value in its error, each in its own way. */
function checkHeaders(headers: HttpRequest['headers']): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new ConfigurationError('A header has a name that is not allowed in HTTP.');
    }
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new ConfigurationError(`The header ${name} has a value that is not allowed in HTTP.`);
    }
  }
}

/** One request up to its headers. The caller reads the body. @throws RedirectRefusedError */
export async function openResponse(
  transport: Transport,
  { url, method, headers, body, signal }: HttpRequest,
): Promise<FetchAnswer> {
  const response = await transport.send(url, { method, headers, body, signal });
  if (isRedirect(response)) {
    // A discarded body is not awaited.
    response.body?.cancel().catch(() => {});
    throw new RedirectRefusedError(response.status);
  }
  return response;
}

/** Ends with the clocks, even if a custom fetch or a middleware ignores its signal. */
export async function underClocks<T>(clocks: AttemptClocks, work: () => Promise<T>): Promise<T> {
  try {
    clocks.signal.throwIfAborted();
    return await untilAborted(work(), clocks.signal);
  } catch (error) {
    throw clocks.failure ?? error;
  }
}

/** Turns anything that a transport throws into a connection failure. */
export async function fromTransport<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ChangguError ? error : connectionFailure(error);
  }
}

/** In some runtimes an unfollowed redirect is opaque. */
function isRedirect(response: FetchAnswer): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
}

/** The whole body as text. Every chunk restarts the stall clock. */
export async function readText(response: FetchAnswer, clocks: AttemptClocks): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  let length = 0;
  clocks.touch();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    clocks.touch();
    length += value.length;
    if (length > MAX_BODY_BYTES) {
      reader.cancel().catch(() => {});
      throw new InvalidResponseError(response.status, 'it does not end');
    }
    text += decoder.decode(value, { stream: true });
  }
}
