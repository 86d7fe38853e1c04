import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { memoryOrganizationKeys } from '../../test/memory-key-stores.ts';
import { deriveMasterKey } from './master-keys/master-key.ts';
import { fixedMasterKeys } from './master-keys/master-key-source.ts';
import { SealError } from './sealed-box.ts';
import { CHUNK_BYTES, chunkCount } from './sealed-chunks.ts';
import { createVault } from './vault.ts';

const place = { table: 'artifact_chunks', column: 'bytes', row: 'art_1' };
const vault = createVault({
  masterKeys: fixedMasterKeys([deriveMasterKey(new Uint8Array(32))]),
  organizationKeys: memoryOrganizationKeys(),
});

/** Bytes that differ from chunk to chunk. */
function fileOf(size: number): Buffer {
  const file = Buffer.alloc(size);
  for (let index = 0; index < size; index += 997) file.writeUInt8((index / 997) % 251, index);
  return file;
}

async function read(chunks: readonly Uint8Array[], size: number, start = 0, end = size) {
  const loaded: number[] = [];
  const loadChunk = async (index: number) => {
    loaded.push(index);
    return chunks[index] ?? new Uint8Array();
  };
  const parts: Uint8Array[] = [];
  for await (const part of vault.openFile('org', place, { size, loadChunk }, { start, end })) {
    parts.push(part);
  }
  return { bytes: Buffer.concat(parts), loaded };
}

describe('sealed files (D64)', () => {
  it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES + 7])(
    'a file of %i bytes comes back',
    async (size) => {
      const file = fileOf(size);
      const chunks = await vault.sealFile('org', place, file);
      expect(chunks).toHaveLength(chunkCount(size));
      const { bytes, loaded } = await read(chunks, size);
      expect(sha256(bytes)).toBe(sha256(file));
      expect(loaded).toHaveLength(chunkCount(size));
    },
  );

  describe('of four chunks', () => {
    const size = 3 * CHUNK_BYTES + 1_000;
    const file = fileOf(size);
    let chunks: readonly Uint8Array[];
    beforeAll(async () => {
      chunks = await vault.sealFile('org', place, file);
    });

    it('any range is that slice, and loads only the chunks it touches', async () => {
      const offset = fc.oneof(
        fc.nat(size),
        fc.constantFrom(0, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, size),
      );
      await fc.assert(
        fc.asyncProperty(offset, offset, async (one, other) => {
          const [start, end] = one < other ? [one, other] : [other, one];
          const { bytes, loaded } = await read(chunks, size, start, end);
          expect(bytes.equals(file.subarray(start, end))).toBe(true);
          const touched = Math.ceil(end / CHUNK_BYTES) - Math.floor(start / CHUNK_BYTES);
          expect(loaded.length).toBeLessThanOrEqual(Math.max(1, touched));
        }),
        { numRuns: 40 },
      );
    });

    it.each([
      ['two chunks in each other’s place', [1, 0, 2, 3], size],
      ['a chunk repeated', [0, 1, 1, 3], size],
      ['a chunk missing', [0, 2, 3], size],
      ['the last chunk cut off, with its size', [0, 1, 2], 3 * CHUNK_BYTES],
      ['a smaller size', [0, 1, 2, 3], size - 1],
    ])('%s is found', async (_, order, claimed) => {
      const moved = order.map((index) => chunks[index] ?? new Uint8Array());
      await expect(read(moved, claimed)).rejects.toThrow(SealError);
    });

    it('detects a chunk of another file', async () => {
      const elsewhere = await vault.sealFile('org', { ...place, row: 'art_2' }, file);
      const mixed = chunks.with(1, elsewhere[1] ?? new Uint8Array());
      await expect(read(mixed, size)).rejects.toThrow(SealError);
    });

    it.each([
      [-1, 5],
      [6, 5],
      [0, size + 1],
    ])('the range %i to %i is refused', async (start, end) => {
      await expect(read(chunks, size, start, end)).rejects.toThrow(RangeError);
    });
  });
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
