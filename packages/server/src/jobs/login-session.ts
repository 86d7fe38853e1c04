import type { JobAccess } from '../rules/jobs/job-access.ts';
import { type InstitutionOrigins, laneScope } from '../rules/links/link-purpose.ts';
import type { Store } from '../store/database.ts';
import { readJobRequest } from './overviews.ts';

interface LoginSessionDependencies {
  readonly store: Pick<Store, 'jobs' | 'portalSessions' | 'clock'>;
  readonly addresses: { readonly origins: (provider: string) => InstitutionOrigins };
  /** How long an institution keeps a login without requests. */
  readonly sessionIdleMs: (provider: string) => number;
}

/**
 * Whether the link of a login job has a session that was used recently enough to be open still.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function hasOpenSession(
  { store, addresses, sessionIdleMs }: LoginSessionDependencies,
  access: JobAccess,
  jobId: string,
): Promise<boolean> {
  const { organizationId, envScope } = access;
  const { provider, account_link_id: accountLinkId } = await readJobRequest(store, access, jobId);
  if (accountLinkId === null || envScope === 'sandbox') return false;
  const session = await store.portalSessions.read({
    organizationId,
    accountLinkId,
    envScope: laneScope(envScope, addresses.origins(provider)),
  });
  if (session === null) return false;
  return (await store.clock.now()) - session.lastUsedAt <= sessionIdleMs(provider);
}
