import { ChangguError } from './changgu-error.ts';

/** The file is past its retention, deleted, or has no URL. */
export class ArtifactUnavailableError extends ChangguError {
  override readonly name = 'ArtifactUnavailableError';
  override readonly code = 'ARTIFACT_UNAVAILABLE';
}

/** The bytes received are not the bytes promised: other length or other SHA-256. */
export class ArtifactCorruptError extends ChangguError {
  override readonly name = 'ArtifactCorruptError';
  override readonly code = 'ARTIFACT_CORRUPT';
}
