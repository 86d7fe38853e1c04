import type { Caller } from '../caller.ts';
import { checkOptions } from '../check-options.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Artifact } from '../jobs/job.ts';
import type { Reply } from '../request/reply.ts';

/** What is needed to download a file: an artifact of a result, or the result itself if it has a `downloadUrl`. */
export type Downloadable = Pick<Artifact, 'jobId' | 'downloadUrl'> & Partial<Artifact>;

export type DownloadOptions = Pick<RequestOptions, 'signal' | 'attemptTimeoutMs' | 'maxRetries'>;

/** Files of jobs, by their signed URLs. Never sends the client's credentials there. */
export class Artifacts {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
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
    checkOptions(options);
    return this.#stream(artifact, options);
  }

  /**
   * Saves the file as `to`: writes a temporary file next to it and renames it when length and SHA-256 are right.
   * Replaces an existing file. Node, Bun and Deno only.
   * @throws ArtifactNotSavedError, ArtifactUnavailableError, ArtifactCorruptError
   */
  download(
    artifact: Downloadable,
    { to, ...options }: DownloadOptions & { readonly to: string },
  ): Reply<void> {
    return this.#caller.reply(options, (sending, noted) =>
      sending.file(artifact, noted).download(to),
    );
  }

  /** The whole file in memory. */
  bytes(artifact: Downloadable, options?: DownloadOptions): Reply<Uint8Array> {
    return this.#caller.reply(options, async (sending, noted) => {
      const chunks: Uint8Array[] = [];
      const restart = async () => {
        chunks.length = 0;
      };
      for await (const chunk of sending.file(artifact, noted).read(restart)) {
        chunks.push(chunk);
      }
      return joined(chunks);
    });
  }

  async *#stream(
    artifact: Downloadable,
    options: DownloadOptions,
  ): AsyncGenerator<Uint8Array, void, void> {
    yield* (await this.#caller.sending()).file(artifact, options).read();
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
