import type { Actor } from '../rules/principals/actor.ts';
import { ServiceError } from '../rules/service-error.ts';
import { type DownloadDependencies, unsealArtifact } from './download.ts';

/**
 * A file whole, for a caller that was seen to have a right to its job; its size is the caller's to bound.
 * @throws ServiceError ARTIFACT_NOT_FOUND when deleted, ARTIFACT_EXPIRED
 */
export async function readArtifact(
  { store, vault }: Pick<DownloadDependencies, 'store' | 'vault'>,
  artifactId: string,
  actor: Actor,
): Promise<Uint8Array> {
  const artifact = await store.results.findArtifact({ artifactId });
  if (artifact === null) throw new ServiceError('ARTIFACT_NOT_FOUND');
  if (artifact.now >= artifact.expiresAt) throw new ServiceError('ARTIFACT_EXPIRED');
  const { organizationId, jobId, sizeBytes } = artifact;
  await store.audit.record({
    actor,
    organizationId,
    act: 'artifact.download',
    target: jobId,
    details: { artifact_id: artifactId },
  });
  const chunks: Uint8Array[] = [];
  const whole = { start: 0, end: sizeBytes };
  for await (const chunk of unsealArtifact(store, vault, artifact, whole)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
