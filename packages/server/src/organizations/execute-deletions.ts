import type { Vault } from '../crypto/vault.ts';
import { cancelQueued } from '../jobs/cancel-queued.ts';
import type { Store } from '../store/database.ts';

interface ExecutionDependencies {
  readonly store: Pick<Store, 'deletions' | 'queuedJobs'>;
  readonly vault: Pick<Vault, 'forgetOrganizationKey'>;
}

/**
 * Carries out the deletions whose day has come (D146). Every step can be repeated, and one that still
 * waits for a running job goes on at the next sweep: a crash anywhere loses nothing.
 */
export async function executeDueDeletions(parts: ExecutionDependencies): Promise<void> {
  for (const id of await parts.store.deletions.due()) await executeDeletion(parts, id);
}

async function executeDeletion({ store, vault }: ExecutionDependencies, id: string): Promise<void> {
  const { deletions } = store;
  const { organizationId } = await deletions.begin(id);
  if (organizationId === null) return;
  while (await deletions.wipeNextLink(organizationId));
  await cancelQueued(store, { organizationId });
  if (await deletions.releaseJobs(organizationId)) return;
  await deletions.finish({ id, organizationId });
  vault.forgetOrganizationKey(String(organizationId));
}
