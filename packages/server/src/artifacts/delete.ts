import type { ArtifactDeletionResponse } from '@changgu/contract/schemas';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import type { Actor } from '../rules/principals/actor.ts';
import type { Principal } from '../rules/principals/principal.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';

/**
 * DELETE /v1/jobs/{job_id}/artifacts. Returns 0 when no files are left.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function deleteArtifacts(
  store: Pick<Store, 'results'>,
  access: JobAccess,
  jobId: string,
  actor: Actor,
): Promise<ArtifactDeletionResponse> {
  const deleted = await store.results.deleteArtifacts({ access, jobId, actor });
  if (deleted === null) throw new ServiceError('JOB_NOT_FOUND');
  return { job_id: jobId, deleted_count: deleted };
}

/** @throws ServiceError POLICY_TOOL_NOT_ALLOWED for a read-only key */
export function assertMayDelete(principal: Principal): void {
  if (principal.kind === 'client' && principal.readOnly) {
    throw new ServiceError('POLICY_TOOL_NOT_ALLOWED');
  }
}
