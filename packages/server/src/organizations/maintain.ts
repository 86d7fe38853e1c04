import type { Vault } from '../crypto/vault.ts';
import { cancelQueued } from '../jobs/cancel-queued.ts';
import type { Store } from '../store/database.ts';

interface MaintenanceDependencies {
  readonly store: Pick<
    Store,
    | 'oauthArtifacts'
    | 'deletions'
    | 'queuedJobs'
    | 'subscriptions'
    | 'loginAttempts'
    | 'consoleSessions'
    | 'oneTimeLinks'
    | 'passkeys'
    | 'signInAttempts'
    | 'vouchedSessions'
  >;
  readonly vault: Pick<Vault, 'eraseOrganizationSecret' | 'forgetOrganizationKey'>;
}

/** Work that becomes due with time: deletions, ends of subscriptions, expired login attempts, sessions and links. */
export async function maintainOrganizations(dependencies: MaintenanceDependencies): Promise<void> {
  const { store } = dependencies;
  await executeDueDeletions(dependencies);
  while ((await store.subscriptions.endPeriods()) > 0);
  while ((await store.loginAttempts.purge()) > 0);
  while (await store.oauthArtifacts.purge());
  while ((await store.consoleSessions.purge()) > 0);
  while ((await store.oneTimeLinks.purge()) > 0);
  while ((await store.passkeys.purgeAttempts()) > 0);
  while ((await store.signInAttempts.purge()) > 0);
  while ((await store.vouchedSessions.purge()) > 0);
}

type ExecutionDependencies = Pick<MaintenanceDependencies, 'vault'> & {
  readonly store: Pick<Store, 'deletions' | 'queuedJobs'>;
};

/**
 * Executes the deletions that are due. Every step can be repeated, and one that still
 * waits for a running job continues at the next sweep: a crash at any point loses nothing.
 */
export async function executeDueDeletions(dependencies: ExecutionDependencies): Promise<void> {
  for (const id of await dependencies.store.deletions.due())
    await executeDeletion(dependencies, id);
}

async function executeDeletion({ store, vault }: ExecutionDependencies, id: string): Promise<void> {
  const { deletions } = store;
  const { organizationId } = await deletions.begin(id);
  if (organizationId === null) return;
  while (await deletions.wipeNextLink(organizationId));
  await cancelQueued(store, { organizationId });
  if (await deletions.releaseJobs(organizationId)) return;
  // First, and repeated after a crash: the database records the deletion as done only when backups are covered.
  await vault.eraseOrganizationSecret(String(organizationId));
  await deletions.finish({ id, organizationId });
  vault.forgetOrganizationKey(String(organizationId));
}
