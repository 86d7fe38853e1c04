import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openBox, sealBox } from './sealed-box.ts';

export const CHUNK_BYTES = 256 * 1024;

/** A file stored as sealed chunks. */
export interface SealedFile {
  /** Size of the whole file in bytes, unsealed. */
  readonly size: number;
  readonly loadChunk: (index: number) => Promise<Uint8Array>;
}

/** Bytes of a file from `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The number of chunks of a file of `size` bytes. An empty file has one, so that it is sealed too. */
export function chunkCount(size: number): number {
  return Math.max(1, Math.ceil(size / CHUNK_BYTES));
}

/**
 * Seals each chunk together with its index and the file's size, so that a chunk that was moved, repeated,
 * left out or truncated does not open. Yields to the event loop after each chunk.
 */
export async function sealChunks(
  key: KeyObject,
  context: string,
  file: Uint8Array,
  generation = 0,
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (let index = 0; index < chunkCount(file.length); index += 1) {
    const bytes = file.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    chunks.push(sealBox(key, chunkContext(context, index, file.length), bytes, generation));
    await nextTurn();
  }
  return chunks;
}

/** @throws SealError for a chunk that does not belong here, RangeError for a range outside the file */
export async function* openRange(
  keyFor: (sealed: Uint8Array) => Promise<KeyObject>,
  context: string,
  { size, loadChunk }: SealedFile,
  { start, end }: ByteRange = { start: 0, end: size },
): AsyncGenerator<Uint8Array> {
  if (start < 0 || end > size || start > end) throw new RangeError('range outside the file');

  for (let index = Math.floor(start / CHUNK_BYTES); index < chunkCount(end); index += 1) {
    const offset = index * CHUNK_BYTES;
    const sealed = await loadChunk(index);
    const bytes = openBox(await keyFor(sealed), chunkContext(context, index, size), sealed);
    yield bytes.subarray(Math.max(0, start - offset), end - offset);
  }
}

/** The associated data of one chunk. */
export function chunkContext(context: string, index: number, size: number): string {
  return JSON.stringify([context, index, size]);
}
