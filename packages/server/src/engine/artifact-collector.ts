import { hash } from 'node:crypto';
import type { Vault } from '../crypto/vault.ts';
import { newArtifactId } from '../ids.ts';
import type { NewFile } from '../institutions/connector.ts';
import { InstitutionError } from '../institutions/institution-error.ts';
import { withNames } from '../rules/jobs/artifact-name.ts';
import { mediaType } from '../rules/jobs/media-type.ts';
import type { NewArtifact } from '../store/queue/runs.ts';
import { artifactPlace } from '../store/schema/sealed-places.ts';

/** Limits all files of one job together, like the limit on an institution's answers. */
const MAX_BYTES = 20 * 1024 * 1024;

export interface ArtifactCollector {
  add(file: NewFile): Promise<void>;
  count(): number;
  /** Discards them, because a repeated attempt creates its own. */
  clear(): void;
  /** Sealed, in the order of addition. */
  seal(): Promise<NewArtifact[]>;
}

/** Holds the files of a run until the transaction that ends the job. */
export function createArtifactCollector(
  owner: { readonly organizationId: number; readonly task: string },
  vault: Pick<Vault, 'sealFile'>,
  now: () => Promise<number>,
): ArtifactCollector {
  let files: (Omit<NewFile, 'bytes'> & { readonly bytes: Uint8Array })[] = [];
  let size = 0;

  return {
    async add({ bytes, ...file }) {
      const whole = await collect(bytes, MAX_BYTES - size);
      size += whole.length;
      files.push({ ...file, bytes: whole });
    },
    count: () => files.length,
    clear() {
      files = [];
      size = 0;
    },
    async seal() {
      const sealed: NewArtifact[] = [];
      const named = files.length > 0 ? withNames(owner.task, files, await now()) : [];
      for (const { name, contentType, bytes } of named) {
        const id = newArtifactId();
        sealed.push({
          id,
          name,
          contentType: mediaType(contentType),
          sizeBytes: bytes.length,
          sha256: hash('sha256', bytes),
          chunks: await vault.sealFile(String(owner.organizationId), artifactPlace(id), bytes),
        });
      }
      return sealed;
    },
  };
}

async function collect(bytes: NewFile['bytes'], most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
    length += piece.length;
    if (length > most) throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', { transient: false });
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}
