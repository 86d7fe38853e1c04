import { nodeCrypto } from '../encryption/node-encryptor.ts';
import { ArtifactCorruptError } from '../errors/artifact-errors.ts';

/** The digest that a file's bytes must have; null when the service gave none. */
export interface ExpectedBytes {
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

/**
 * Checks bytes as they arrive. The hash needs node:crypto (Node, Bun, Deno, workers with Node compatibility), because
 * WebCrypto cannot hash a stream; elsewhere only the length is checked.
 */
export class Checksum {
  readonly #expected: ExpectedBytes;
  readonly #hash = nodeCrypto()?.createHash('sha256');
  #received = 0;

  constructor(expected: ExpectedBytes) {
    this.#expected = expected;
  }

  get received(): number {
    return this.#received;
  }

  /** @throws ArtifactCorruptError as soon as there are more bytes than announced */
  add(bytes: Uint8Array): void {
    this.#received += bytes.length;
    this.#hash?.update(bytes);
    const { sizeBytes } = this.#expected;
    if (sizeBytes !== null && this.#received > sizeBytes) {
      throw new ArtifactCorruptError(`The file is longer than the promised ${sizeBytes} bytes.`);
    }
  }

  /** True when nothing contradicts that these are all the bytes. */
  isComplete(): boolean {
    const { sizeBytes } = this.#expected;
    return sizeBytes === null || this.#received >= sizeBytes;
  }

  /** @throws ArtifactCorruptError when the bytes differ from those announced */
  verify(): void {
    const { sizeBytes, sha256 } = this.#expected;
    if (sizeBytes !== null && this.#received !== sizeBytes) {
      throw new ArtifactCorruptError(
        `The file ended after ${this.#received} of ${sizeBytes} bytes.`,
      );
    }
    const actual = this.#hash?.digest('hex');
    if (sha256 !== null && actual !== undefined && actual !== sha256) {
      throw new ArtifactCorruptError('The SHA-256 of the file is not the promised one.');
    }
  }
}
