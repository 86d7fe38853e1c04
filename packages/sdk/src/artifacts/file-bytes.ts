import { saveFile } from '#platform';
import { ApiError } from '../errors/api-error.ts';
import { ArtifactUnavailableError } from '../errors/artifact-errors.ts';
import { ChangguError } from '../errors/changgu-error.ts';
import { ConnectionError } from '../errors/transport-errors.ts';
import { withFacts } from '../errors/with-facts.ts';
import { fromTransport, underClocks } from '../request/attempt.ts';
import { type Answer, type AttemptFacts, type Core, delayOrThrow } from '../request/core.ts';
import type { OpenAnswer } from '../request/open-answer.ts';
import { sleep } from '../request/sleep.ts';
import { Checksum, type ExpectedBytes } from './checksum.ts';
import { openDownload, type ResumePoint } from './download-request.ts';

export interface FileSource extends ExpectedBytes {
  readonly jobId: string;
  /** The current signed URL; null when there is none. */
  readonly url: string | null;
  /** Reads the result again for a fresh URL. */
  readonly renew: () => Promise<string | null>;
  /** Told of every answer that brings bytes. */
  readonly answered: (answer: Answer) => void;
}

export interface DownloadLimits {
  /** To the first byte of each answer. */
  readonly attemptTimeoutMs: number;
  readonly stallTimeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
}

/**
 * The bytes of a file, whatever the network does: a broken connection is resumed with Range, an expired URL is
 * renewed once, and the end is checked against length and SHA-256.
 * @throws ArtifactCorruptError, ArtifactUnavailableError, ApiError, ConnectionError, TimeoutError, AbortedError
 */
export class FileBytes {
  readonly #core: Core;
  readonly #source: FileSource;
  readonly #limits: DownloadLimits;
  readonly #signal: AbortSignal | undefined;
  #checksum: Checksum;
  #url: string | null;
  #renewed = false;
  #retries = 0;
  #spent = 0;
  #etag: string | null = null;
  readonly #startedAt: number;

  constructor(
    core: Core,
    source: FileSource,
    limits: DownloadLimits,
    signal: AbortSignal | undefined,
  ) {
    this.#core = core;
    this.#source = source;
    this.#limits = limits;
    this.#signal = signal;
    this.#checksum = new Checksum(source);
    this.#url = source.url;
    this.#startedAt = core.clock.now();
  }

  /** @param restart called when the file has to start again because it cannot be resumed; without it that is an error */
  async *read(restart?: () => Promise<void>): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      try {
        const open = await this.#open();
        if (open.response.status === 200 && this.#checksum.received > 0) {
          await this.#startAgain(open, restart);
        }
        yield* this.#body(open);
        if (this.#checksum.isComplete()) break;
        // A body that ends early without an error is a connection that was cut.
        const how = { neverSent: false, systemCode: null, retryable: true, cause: undefined };
        await this.#pause(new ConnectionError('The file ended early.', how));
      } catch (error) {
        await this.#pause(error);
      }
    }
    this.#core.budget.refund(this.#spent);
    try {
      this.#checksum.verify();
    } catch (error) {
      throw withFacts(error, this.#facts());
    }
  }

  /** See Artifacts.download. */
  download(path: string): Promise<void> {
    return saveFile(path, (restart) => this.read(restart));
  }

  async #open(): Promise<OpenAnswer> {
    this.#url ??= await this.#renew();
    const at: ResumePoint = { offset: this.#checksum.received, etag: this.#etag };
    const { attemptTimeoutMs, stallTimeoutMs } = this.#limits;
    // A large file may take any time; only its first byte and its pauses are limited.
    const stallMs = Math.max(attemptTimeoutMs, stallTimeoutMs);
    const open = await openDownload(this.#core, this.#url, at, stallMs, this.#signal);
    const { status, headers } = open.response;
    this.#source.answered({ status, headers, body: null, facts: this.#facts() });
    return open;
  }

  #facts(): AttemptFacts {
    return {
      operation: 'downloadArtifact',
      idempotencyKey: null,
      traceId: null,
      jobId: this.#source.jobId,
      attempts: this.#retries + 1,
      elapsedMs: this.#core.clock.now() - this.#startedAt,
    };
  }

  async #startAgain({ clocks, response }: OpenAnswer, restart?: () => Promise<void>) {
    if (!restart) {
      clocks.dispose();
      response.body?.cancel().catch(() => {});
      throw new ArtifactUnavailableError('The file changed or cannot be resumed.');
    }
    await restart();
    this.#checksum = new Checksum(this.#source);
  }

  async *#body({ response, clocks }: OpenAnswer): AsyncGenerator<Uint8Array, void, void> {
    this.#etag = response.headers.get('etag');
    const reader = response.body?.getReader();
    try {
      for (;;) {
        clocks.touch();
        const chunk = await underClocks(clocks, () => fromTransport(async () => reader?.read()));
        if (!chunk || chunk.done) return;
        this.#checksum.add(chunk.value);
        yield chunk.value;
      }
    } finally {
      clocks.dispose();
      // Closes the connection when the reader stops early.
      await reader?.cancel().catch(() => {});
    }
  }

  /** Decides what a failure means, and sleeps before another attempt. */
  async #pause(error: unknown): Promise<void> {
    if (!(error instanceof ChangguError)) throw error;
    if (isExpired(error) && !this.#renewed) {
      this.#url = null;
      return;
    }
    const facts = this.#facts();
    withFacts(error, facts);
    const { maxRetries, maxRetryAfterMs } = this.#limits;
    const situation = {
      repeat: 'read',
      retries: this.#retries,
      maxRetries,
      maxRetryAfterMs,
    } as const;
    const { delayMs, cost } = delayOrThrow(this.#core, error, situation);
    this.#spent += cost;
    this.#retries += 1;
    await sleep(this.#core.clock, delayMs, this.#signal).catch((abort: ChangguError) => {
      throw withFacts(abort, facts);
    });
  }

  async #renew(): Promise<string> {
    this.#renewed = true;
    const url = await this.#source.renew();
    if (url === null) {
      throw new ArtifactUnavailableError('The file is past its retention or was deleted.');
    }
    return url;
  }
}

/** The URL is no longer valid; only the result says whether the file is. */
function isExpired(error: ChangguError): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 410);
}
