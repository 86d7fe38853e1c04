import { ChangguError } from '../errors/changgu-error.ts';
import { InvalidResponseError, RedirectRefusedError } from '../errors/transport-errors.ts';
import type { AttemptClocks } from './attempt-clocks.ts';
import { connectionFailure } from './connection-failure.ts';
import type { FetchAnswer, HttpRequest, HttpResponse, Transport } from './http.ts';
import { untilAborted } from './until-aborted.ts';

/** More than any answer of the service; without an end, a body would fill the memory before a clock runs out. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * One request and its whole body. The caller puts it under the clocks, together with what is around it.
 * @throws RedirectRefusedError, InvalidResponseError for a body above 64 MiB; and what `typed` throws
 */
export function sendOnce(
  transport: Transport,
  request: HttpRequest,
  clocks: AttemptClocks,
): Promise<HttpResponse> {
  return typed(clocks, async () => {
    const response = await openResponse(transport, request);
    const body = await readText(response, clocks);
    return { status: response.status, headers: response.headers, body };
  });
}

/** One request up to its headers. The caller reads the body. @throws RedirectRefusedError */
export async function openResponse(
  transport: Transport,
  { url, method, headers, body, signal }: HttpRequest,
): Promise<FetchAnswer> {
  const response = await transport.send(url, { method, headers, body, signal });
  if (isRedirect(response)) {
    // Nobody waits for what is thrown away.
    response.body?.cancel().catch(() => {});
    throw new RedirectRefusedError(response.status);
  }
  return response;
}

/** Ends when the clocks do, also where a given fetch or a middleware does not heed its signal. */
export function underClocks<T>(clocks: AttemptClocks, work: () => Promise<T>): Promise<T> {
  return typed(clocks, () => untilAborted(work(), clocks.signal));
}

/** Turns whatever a transport throws into the clock that ran out, the caller's abort, or a connection failure. */
async function typed<T>(clocks: AttemptClocks, work: () => Promise<T>): Promise<T> {
  try {
    clocks.signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (clocks.failure) throw clocks.failure;
    throw error instanceof ChangguError ? error : connectionFailure(error);
  }
}

/** A redirect that is not followed is opaque in some runtimes. */
function isRedirect(response: FetchAnswer): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
}

/** The whole body as text. Every piece of it starts the stall clock again. */
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
      throw new InvalidResponseError(response.status, 'it does not end', { retryable: false });
    }
    text += decoder.decode(value, { stream: true });
  }
}
