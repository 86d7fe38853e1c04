import { SealError } from '../crypto/sealed-box.ts';
import type { ByteRange } from '../crypto/sealed-chunks.ts';
import type { UrlSignature, UrlSigner } from '../crypto/signed-url.ts';
import type { Vault } from '../crypto/vault.ts';
import { mediaType } from '../rules/jobs/media-type.ts';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { ArtifactFacts } from '../store/queue/results.ts';
import { artifactPlace } from '../store/schema/sealed-places.ts';
import { requestedRange } from './byte-range.ts';

export interface DownloadDependencies {
  readonly store: Pick<Store, 'results' | 'clock' | 'audit'>;
  readonly vault: Pick<Vault, 'openFile'>;
  readonly urlSigner: Pick<UrlSigner, 'verify'>;
}

export interface DownloadRequest {
  readonly artifactId: string;
  readonly signature: UrlSignature;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
  readonly origin: RequestOrigin;
  /** Whether the audit log gets a row of it; asked once the download is certain. */
  readonly isRecorded: () => boolean;
}

/** The answer to a download; bytes are decrypted as they are read. */
export type Download = {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Quoted, for the ETag header. */
  readonly etag: string;
} & (
  | { readonly status: 200; readonly body: AsyncGenerator<Uint8Array> }
  | { readonly status: 206; readonly range: ByteRange; readonly body: AsyncGenerator<Uint8Array> }
);

/**
 * GET /v1/artifacts/{artifact_id}/download. The signature is the authorization and is checked before
 * anything else.
 * @throws ServiceError ARTIFACT_URL_EXPIRED, ARTIFACT_NOT_FOUND when deleted, ARTIFACT_EXPIRED,
 * ARTIFACT_RANGE_NOT_SATISFIABLE
 */
export async function openDownload(
  { store, vault, urlSigner }: DownloadDependencies,
  request: DownloadRequest,
): Promise<Download> {
  if (!urlSigner.verify(request.artifactId, request.signature, await store.clock.now())) {
    throw new ServiceError('ARTIFACT_URL_EXPIRED');
  }
  const artifact = await store.results.findArtifact({ artifactId: request.artifactId });
  if (artifact === null) throw new ServiceError('ARTIFACT_NOT_FOUND');
  if (artifact.now >= artifact.expiresAt) throw new ServiceError('ARTIFACT_EXPIRED');

  const { name, sizeBytes } = artifact;
  const etag = `"${artifact.sha256}"`;
  // Files of earlier versions are stored with whatever the institution said.
  const contentType = mediaType(artifact.contentType);
  const head = { name, contentType, sizeBytes, etag };
  const range = requestedRange(sizeBytes, etag, request);
  if (range === 'unsatisfiable') {
    const headers = { 'content-range': `bytes */${sizeBytes}` };
    throw new ServiceError('ARTIFACT_RANGE_NOT_SATISFIABLE', { headers });
  }
  if (request.isRecorded()) {
    await recordDownload(store, artifact, { origin: request.origin, start: range?.start ?? 0 });
  }
  const body = unsealArtifact(store, vault, artifact, range ?? { start: 0, end: sizeBytes });
  return range ? { ...head, status: 206, range, body } : { ...head, status: 200, body };
}

/** The caller is not identified: the signature alone authorizes. A part is recorded too: it may lack one byte only. */
async function recordDownload(
  { audit }: Pick<Store, 'audit'>,
  { id, jobId, organizationId }: ArtifactFacts,
  { origin, start }: { readonly origin: RequestOrigin; readonly start: number },
): Promise<void> {
  await audit.record({
    actor: { ...origin, kind: 'system', id: 'signed_url' },
    organizationId,
    act: 'artifact.download',
    target: jobId,
    details: { artifact_id: id, ...(start === 0 ? {} : { from_byte: start }) },
  });
}

/** The bytes of a file, unsealed as they are read. */
export function unsealArtifact(
  store: DownloadDependencies['store'],
  vault: DownloadDependencies['vault'],
  { id, organizationId, sizeBytes }: ArtifactFacts,
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  const loadChunk = async (number: number): Promise<Uint8Array> => {
    const chunk = await store.results.readChunk({ artifactId: id, number });
    // The file was deleted during the transfer: break the connection so that no client takes it for complete.
    if (chunk === null) throw new SealError('the artifact is gone');
    return chunk;
  };
  const file = { size: sizeBytes, loadChunk };
  return vault.openFile(String(organizationId), artifactPlace(id), file, range);
}
