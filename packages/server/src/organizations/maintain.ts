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

/**
 * Work that becomes due with time: deletions, ends of subscriptions, expired login attempts, sessions and links.
 * When stopped, it leaves the rest to the next round of any process.
 */
export async function maintainOrganizations(
  dependencies: MaintenanceDependencies,
  stop?: AbortSignal,
): Promise<void> {
  const { store } = dependencies;
  await executeDueDeletions(dependencies, stop);
  const rounds: (() => Promise<number | boolean>)[] = [
    store.subscriptions.endPeriods,
    store.loginAttempts.purge,
    store.oauthArtifacts.purge,
    store.consoleSessions.purge,
    store.oneTimeLinks.purge,
    store.passkeys.purgeAttempts,
    store.signInAttempts.purge,
    store.vouchedSessions.purge,
  ];
  for (const round of rounds) while (!stop?.aborted && (await round()));
}

type ExecutionDependencies = Pick<MaintenanceDependencies, 'vault'> & {
  readonly store: Pick<Store, 'deletions' | 'queuedJobs'>;
};

/**
 * Executes the deletions that are due, and empties organizations that their only member left. Every step can be repeated, and one that still
 * waits for a running job continues at the next sweep: a crash at any point loses nothing.
 */
export async function executeDueDeletions(
  dependencies: ExecutionDependencies,
  stop?: AbortSignal,
): Promise<void> {
  const { deletions } = dependencies.store;
  for (const id of await deletions.due())
    if (!stop?.aborted) await executeDeletion(dependencies, id, stop);
  for (const organizationId of await deletions.closed()) {
    await emptyOrganization(dependencies, organizationId, stop, () =>
      deletions.discardKeys(organizationId),
    );
  }
}

async function executeDeletion(
  dependencies: ExecutionDependencies,
  id: string,
  stop: AbortSignal | undefined,
): Promise<void> {
  const { deletions } = dependencies.store;
  const { organizationId } = await deletions.begin(id);
  if (organizationId === null) return;
  await emptyOrganization(dependencies, organizationId, stop, () =>
    deletions.finish({ id, organizationId }),
  );
}

async function emptyOrganization(
  { store, vault }: ExecutionDependencies,
  organizationId: number,
  stop: AbortSignal | undefined,
  finish: () => Promise<void>,
): Promise<void> {
  const { deletions } = store;
  while (!stop?.aborted && (await deletions.wipeNextLink(organizationId)));
  await cancelQueued(store, { organizationId }, stop);
  if (stop?.aborted) return;
  if (await deletions.releaseJobs(organizationId)) return;
  // First, and repeated after a crash: the database records the deletion as done only when backups are covered.
  await vault.eraseOrganizationSecret(String(organizationId));
  await finish();
  vault.forgetOrganizationKey(String(organizationId));
}
