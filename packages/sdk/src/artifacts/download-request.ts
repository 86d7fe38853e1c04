import { isLoopback } from '../client-options.ts';
import { ArtifactUnavailableError } from '../errors/artifact-errors.ts';
import type { Core } from '../request/core.ts';
import { type OpenAnswer, openAnswer } from '../request/open-answer.ts';

/** Where to resume a partially downloaded file. */
export interface ResumePoint {
  readonly offset: number;
  /** Entity tag of the first answer; without one, the rest cannot be known to belong to the same file. */
  readonly etag: string | null;
}

const DOWNLOAD = { method: 'GET', template: null, operation: 'downloadArtifact', traceId: null };

/**
 * Opens a signed URL: no Authorization, no header of the client, no middleware, no redirect. The signature is the
 * authorization, and storage services refuse a second one.
 * @throws what `openAnswer` throws
 */
export async function openDownload(
  core: Core,
  url: string,
  { offset, etag }: ResumePoint,
  stallMs: number,
  signal: AbortSignal | undefined,
): Promise<OpenAnswer> {
  checkUrl(url);
  const range = offset > 0 && etag ? { range: `bytes=${offset}-`, 'if-range': etag } : undefined;
  const headers = { accept: '*/*', ...range };
  const call = { ...DOWNLOAD, url, headers, body: undefined, signal };
  return openAnswer(core, call, stallMs, (status) => status === 200 || status === 206);
}

function checkUrl(url: string): void {
  const parsed = URL.parse(url);
  const secure =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!secure)
    throw new ArtifactUnavailableError('The download URL is neither https nor loopback.');
}
