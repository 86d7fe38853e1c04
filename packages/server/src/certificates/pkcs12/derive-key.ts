import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { malformed } from '../certificate-error.ts';

/** What a derived key is for (RFC 7292, B.3). */
export const PURPOSE = { key: 1, vector: 2, mac: 3 } as const;

/** Hashes that one file may cost: some exporters take 100,000 rounds for each of its keys. */
const MAX_HASHES = 500_000;
const HASHES_A_TURN = 2_000;

export interface Digest {
  readonly name: string;
  readonly bytes: number;
  readonly blockBytes: number;
}
export const SHA1: Digest = { name: 'sha1', bytes: 20, blockBytes: 64 };

export interface Derivation {
  readonly digest: Digest;
  readonly purpose: (typeof PURPOSE)[keyof typeof PURPOSE];
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly bytes: number;
}

/** Derives the keys of one file, of which OpenSSL has no function in Node (RFC 7292, appendix B). */
export class KeyDerivation {
  readonly #password: Buffer;
  #left = MAX_HASHES;

  constructor(password: string) {
    this.#password = Buffer.from(`${password}\0`, 'utf16le').swap16();
  }

  /** @throws CertificateError MALFORMED when the file asks for more than any exporter does */
  charge(hashes: number): void {
    this.#left -= hashes;
    if (this.#left < 0) throw malformed('the iteration count');
  }

  /** @throws CertificateError MALFORMED when the file asks for more than any exporter does */
  async derive({ digest, purpose, salt, iterations, bytes }: Derivation): Promise<Buffer> {
    const { blockBytes } = digest;
    const blocks = Math.ceil(bytes / digest.bytes);
    if (iterations < 1) throw malformed('the iteration count');
    this.charge(blocks * iterations);
    const diversifier = Buffer.alloc(blockBytes, purpose);
    let input: Buffer = Buffer.concat([
      filled(salt, blockBytes),
      filled(this.#password, blockBytes),
    ]);
    const derived: Buffer[] = [];
    for (let block = 0; block < blocks; block += 1) {
      const part = await hashed(Buffer.concat([diversifier, input]), digest, iterations);
      derived.push(part);
      input = advanced(input, filled(part, blockBytes).subarray(0, blockBytes), blockBytes);
    }
    return Buffer.concat(derived).subarray(0, bytes);
  }
}

async function hashed(first: Buffer, { name }: Digest, iterations: number): Promise<Buffer> {
  let value = hash(name, first, 'buffer');
  for (let round = 1; round < iterations; round += 1) {
    if (round % HASHES_A_TURN === 0) await nextTurn();
    value = hash(name, value, 'buffer');
  }
  return value;
}

/** Repeated until whole blocks are full. */
function filled(bytes: Uint8Array, blockBytes: number): Buffer {
  const length = Math.ceil(bytes.length / blockBytes) * blockBytes;
  return bytes.length === 0 ? Buffer.alloc(0) : Buffer.alloc(length, bytes);
}

/** Every block plus the result plus one, as numbers. */
function advanced(input: Buffer, result: Buffer, blockBytes: number): Buffer {
  const added = BigInt(`0x${result.toString('hex')}`) + 1n;
  const blocks: Buffer[] = [];
  for (let at = 0; at < input.length; at += blockBytes) {
    const block = BigInt(`0x${input.toString('hex', at, at + blockBytes)}`);
    const sum = BigInt.asUintN(blockBytes * 8, block + added);
    blocks.push(Buffer.from(sum.toString(16).padStart(blockBytes * 2, '0'), 'hex'));
  }
  return Buffer.concat(blocks);
}
