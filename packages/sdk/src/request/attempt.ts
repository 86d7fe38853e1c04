import { ChangguError } from '../errors/changgu-error.ts';
import { RedirectRefusedError } from '../errors/transport-errors.ts';
import type { AttemptClocks } from './attempt-clocks.ts';
import { connectionFailure } from './connection-failure.ts';
import type { FetchAnswer, HttpRequest, HttpResponse, Transport } from './http.ts';

/** One request and its whole body, under the clocks. Throws only errors of the SDK. */
export async function sendOnce(
  transport: Transport,
  request: HttpRequest,
  clocks: AttemptClocks,
): Promise<HttpResponse> {
  const response = await openResponse(transport, request, clocks);
  const body = await underClocks(clocks, () => readText(response, clocks));
  return { status: response.status, headers: response.headers, body };
}

/** One request up to its headers. The caller reads the body. */
export async function openResponse(
  transport: Transport,
  { url, method, headers, body, signal }: HttpRequest,
  clocks: AttemptClocks,
): Promise<FetchAnswer> {
  const response = await underClocks(clocks, () =>
    transport.send(url, { method, headers, body, signal }),
  );
  if (isRedirect(response)) {
    await response.body?.cancel();
    throw new RedirectRefusedError(response.status);
  }
  return response;
}

/** Turns whatever a transport throws into the clock that ran out, the caller's abort, or a connection failure. */
export async function underClocks<T>(clocks: AttemptClocks, work: () => Promise<T>): Promise<T> {
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

async function readText(response: FetchAnswer, clocks: AttemptClocks): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  clocks.touch();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    clocks.touch();
    text += decoder.decode(value, { stream: true });
  }
}
