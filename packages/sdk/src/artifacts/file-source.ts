import type { JobsApi } from '../jobs/jobs-api.ts';
import { noteAnswer } from '../request/reply.ts';
import type { Downloadable, DownloadOptions } from '../resources/artifacts.ts';
import type { FileSource } from './file-bytes.ts';

/** Where the bytes of an artifact come from. */
export function fileSource(
  api: JobsApi,
  artifact: Downloadable,
  options: DownloadOptions,
): FileSource {
  return {
    jobId: artifact.jobId,
    sizeBytes: artifact.sizeBytes ?? null,
    sha256: artifact.sha256 ?? null,
    url: artifact.expired ? null : artifact.downloadUrl,
    renew: () => freshUrl(api, artifact, options.signal),
    answered: (answer) => noteAnswer(options, answer),
  };
}

/**
 * Every read of the result issues a new URL.
 * @see docs/specification/results-and-artifacts.md#d68
 */
async function freshUrl(
  api: JobsApi,
  artifact: Downloadable,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { artifacts, downloadUrl } = await api.result(artifact.jobId, { signal });
  if (artifact.artifactId === undefined && artifact.name === undefined) return downloadUrl;
  const same = artifacts.find(({ artifactId, name }) =>
    artifact.artifactId ? artifactId === artifact.artifactId : name === artifact.name,
  );
  return same?.downloadUrl ?? null;
}
