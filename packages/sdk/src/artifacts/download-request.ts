import { isLoopback } from '../client-options.ts';
import { ArtifactUnavailableError } from '../errors/artifact-errors.ts';
import { fromTransport, openResponse, readText, underClocks } from '../request/attempt.ts';
import type { ClockLimits } from '../request/attempt-clocks.ts';
import { AttemptClocks } from '../request/attempt-clocks.ts';
import type { Core } from '../request/core.ts';
import { errorFromResponse } from '../request/error-envelope.ts';
import type { FetchAnswer } from '../request/http.ts';
import { AttemptSpan } from '../request/tracing.ts';

/** Where to resume a partially downloaded file. */
export interface ResumePoint {
  readonly offset: number;
  /** Entity tag of the first answer; without one, the rest cannot be known to belong to the same file. */
  readonly etag: string | null;
}

/** An answer whose body is being read under the clocks. Dispose of the clocks when it has ended. */
export interface OpenDownload {
  readonly response: FetchAnswer;
  readonly clocks: AttemptClocks;
}

const DOWNLOAD = { method: 'GET', template: null, operation: 'downloadArtifact', traceId: null };

/**
 * Opens a signed URL: no Authorization, no header of the client, no middleware, no redirect. The signature is the
 * authorization, and storage services refuse a second one.
 * @throws ApiError for an answer that is not 2xx; ConnectionError, TimeoutError, AbortedError
 */
export async function openDownload(
  core: Core,
  url: string,
  { offset, etag }: ResumePoint,
  limits: ClockLimits,
  signal: AbortSignal | undefined,
): Promise<OpenDownload> {
  checkUrl(url);
  await core.transport.ready();
  const clocks = new AttemptClocks(core.clock, limits, signal);
  const span = new AttemptSpan(core.tracer, { ...DOWNLOAD, url });
  const range = offset > 0 && etag ? { range: `bytes=${offset}-`, 'if-range': etag } : undefined;
  try {
    clocks.touch();
    const headers = { accept: '*/*', ...range };
    const request = { method: 'GET', url, headers, body: undefined, signal: clocks.signal };
    const response = await underClocks(clocks, () =>
      fromTransport(() => openResponse(core.transport, request)),
    );
    span.answered(response.status);
    if (response.status === 200 || response.status === 206) return { response, clocks };
    const body = await underClocks(clocks, () => fromTransport(() => readText(response, clocks)));
    throw errorFromResponse(
      { status: response.status, headers: response.headers, body },
      core.clock.now(),
    );
  } catch (error) {
    span.failed(error);
    clocks.dispose();
    throw error;
  } finally {
    span.end();
  }
}

function checkUrl(url: string): void {
  const parsed = URL.parse(url);
  const secure =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!secure)
    throw new ArtifactUnavailableError('The download URL is neither https nor loopback.');
}
