import { saveFile } from '#platform';
import { FileBytes, type FileSource } from '../artifacts/file-bytes.ts';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Artifact } from '../jobs/job.ts';
import type { JobsApi } from '../jobs/jobs-api.ts';
import { noteAnswer, type Reply, reply } from '../request/reply.ts';

/** What is needed to download a file: an artifact of a result, or the result itself if it has a `downloadUrl`. */
export type Downloadable = Pick<Artifact, 'jobId' | 'downloadUrl'> & Partial<Artifact>;

export type DownloadOptions = Pick<RequestOptions, 'signal' | 'attemptTimeoutMs' | 'maxRetries'>;

/** Files of jobs, by their signed URLs. Never sends the client's credentials there. */
export class Artifacts {
  readonly #caller: Caller;
  readonly #api: JobsApi;

  constructor(caller: Caller, api: JobsApi) {
    this.#caller = caller;
    this.#api = api;
  }

  /**
   * The bytes as they come. A broken connection is resumed, an expired URL renewed once; after the last byte length
   * and SHA-256 are checked.
   * @throws ArtifactUnavailableError, ArtifactCorruptError
   */
  stream(
    artifact: Downloadable,
    options: DownloadOptions = {},
  ): AsyncGenerator<Uint8Array, void, void> {
    return this.#bytes(artifact, options).read();
  }

  /**
   * Saves the file as `to`: writes a temporary file next to it and renames it when length and SHA-256 are right.
   * Replaces an existing file. Node, Bun and Deno only.
   */
  download(
    artifact: Downloadable,
    { to, ...options }: DownloadOptions & { readonly to: string },
  ): Reply<void> {
    return reply(options, (noted) => {
      const bytes = this.#bytes(artifact, noted);
      return saveFile(to, (restart) => bytes.read(restart));
    });
  }

  /** The whole file in memory. */
  bytes(artifact: Downloadable, options?: DownloadOptions): Reply<Uint8Array> {
    return reply(options, async (noted) => {
      const chunks: Uint8Array[] = [];
      const restart = async () => {
        chunks.length = 0;
      };
      for await (const chunk of this.#bytes(artifact, noted).read(restart)) chunks.push(chunk);
      return joined(chunks);
    });
  }

  #bytes(artifact: Downloadable, options: DownloadOptions): FileBytes {
    const { signal } = options;
    const source: FileSource = {
      jobId: artifact.jobId,
      sizeBytes: artifact.sizeBytes ?? null,
      sha256: artifact.sha256 ?? null,
      url: artifact.expired ? null : artifact.downloadUrl,
      renew: () => this.#freshUrl(artifact, signal),
      answered: (answer) => noteAnswer(options, answer),
    };
    return new FileBytes(this.#caller.core, source, this.#caller.limits(options), signal);
  }

  /**
   * Every read of the result issues a new URL.
   * @see docs/specification/results-and-artifacts.md#d68
   */
  async #freshUrl(artifact: Downloadable, signal: AbortSignal | undefined): Promise<string | null> {
    const { artifacts, downloadUrl } = await this.#api.result(artifact.jobId, { signal });
    if (artifact.artifactId === undefined && artifact.name === undefined) return downloadUrl;
    const same = artifacts.find(({ artifactId, name }) =>
      artifact.artifactId ? artifactId === artifact.artifactId : name === artifact.name,
    );
    return same?.downloadUrl ?? null;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
