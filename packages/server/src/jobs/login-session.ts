import type { JobAccess } from '../rules/jobs/job-access.ts';
import { SESSION_IDLE_MS } from '../rules/jobs/session-idle.ts';
import type { Store } from '../store/database.ts';
import { readJobRequest } from './overviews.ts';

/**
 * Whether the link of a login job has a session that was used recently enough to be open still.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function hasOpenSession(
  { jobs, portalSessions, clock }: Pick<Store, 'jobs' | 'portalSessions' | 'clock'>,
  access: JobAccess,
  jobId: string,
): Promise<boolean> {
  const { organizationId, envScope } = access;
  const { account_link_id: accountLinkId } = await readJobRequest({ jobs }, access, jobId);
  if (accountLinkId === null || envScope === 'sandbox') return false;
  const session = await portalSessions.read({ organizationId, accountLinkId, envScope });
  return session !== null && (await clock.now()) - session.lastUsedAt <= SESSION_IDLE_MS;
}
