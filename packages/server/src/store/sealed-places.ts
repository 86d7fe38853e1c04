import type { SealedPlace } from '../crypto/vault.ts';

/** Where the sealed values of a job stand (D64): writer and reader must name the same place. */
export function encryptedFieldsPlace(jobId: string): SealedPlace {
  return { table: 'jobs', column: 'encrypted_fields', row: jobId };
}

export function resultPlace(jobId: string): SealedPlace {
  return { table: 'jobs', column: 'result', row: jobId };
}

/** All chunks of one artifact. */
export function artifactPlace(artifactId: string): SealedPlace {
  return { table: 'artifact_chunks', column: 'bytes', row: artifactId };
}
