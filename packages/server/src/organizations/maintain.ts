import type { Vault } from '../crypto/vault.ts';
import { separately, untilDone } from '../failures/separately.ts';
import { cancelQueued } from '../jobs/cancel-queued.ts';
import type { Store } from '../store/database.ts';

interface MaintenanceDependencies {
  readonly store: Pick<
    Store,
    | 'oauthArtifacts'
    | 'deletions'
    | 'queuedJobs'
    | 'webhookDeliveries'
    | 'subscriptions'
    | 'loginAttempts'
    | 'consoleSessions'
    | 'oneTimeLinks'
    | 'invitations'
    | 'passkeys'
    | 'signInAttempts'
    | 'vouchedSessions'
  >;
  readonly vault: Pick<Vault, 'eraseOrganizationSecret' | 'forgetOrganizationKey'>;
}

/**
 * Work that becomes due with time: deletions, ends of subscriptions, expired login attempts, sessions and links.
 * When stopped, it leaves the rest to the next round of any process.
 * @throws PartsFailed when all the rest is done
 */
export async function maintainOrganizations(
  dependencies: MaintenanceDependencies,
  stop?: AbortSignal,
): Promise<void> {
  const { store } = dependencies;
  const rounds: Record<string, () => Promise<boolean>> = {
    subscriptions: store.subscriptions.endPeriods,
    loginAttempts: store.loginAttempts.purge,
    oauthArtifacts: store.oauthArtifacts.purge,
    consoleSessions: store.consoleSessions.purge,
    oneTimeLinks: store.oneTimeLinks.purge,
    invitations: store.invitations.purge,
    passkeys: store.passkeys.purgeAttempts,
    signInAttempts: store.signInAttempts.purge,
    vouchedSessions: store.vouchedSessions.purge,
  };
  await separately(async (doPart) => {
    await doPart('deletions', () => executeDueDeletions(dependencies, stop));
    for (const [name, round] of Object.entries(rounds)) {
      await doPart(name, () => untilDone(round, stop));
    }
  });
}

type ExecutionDependencies = Pick<MaintenanceDependencies, 'vault'> & {
  readonly store: Pick<Store, 'deletions' | 'queuedJobs' | 'webhookDeliveries'>;
};

/**
 * Executes the deletions that are due, and empties organizations that their only member left. Every step can be
 * repeated, and one that failed or still waits for a running job continues at the next sweep: a crash at any point
 * loses nothing.
 * @throws PartsFailed when all the rest is done
 */
export async function executeDueDeletions(
  dependencies: ExecutionDependencies,
  stop?: AbortSignal,
): Promise<void> {
  const { deletions } = dependencies.store;
  await separately(async (doPart) => {
    for (const id of (await doPart('due deletions', deletions.due)) ?? []) {
      if (stop?.aborted) return;
      await doPart(`deletion ${id}`, () => executeDeletion(dependencies, id, stop));
    }
    for (const organizationId of (await doPart('closed organizations', deletions.closed)) ?? []) {
      if (stop?.aborted) return;
      await doPart(`organization ${organizationId}`, () =>
        emptyOrganization(dependencies, organizationId, stop, () =>
          deletions.discardKeys(organizationId),
        ),
      );
    }
  });
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
  await removeWebhooks(store, organizationId, stop);
  await untilDone(() => deletions.wipeNextLink(organizationId), stop);
  await cancelQueued(store, { organizationId, submittedBy: null }, stop);
  let left: 'more' | 'running' | 'done' = 'more';
  while (left === 'more' && !stop?.aborted) left = await deletions.releaseJobs(organizationId);
  if (left !== 'done') return;
  // First, and repeated after a crash: the database records the deletion as done only when backups are covered.
  await vault.eraseOrganizationSecret(String(organizationId));
  await finish();
  vault.forgetOrganizationKey(String(organizationId));
}

/** Their addresses may be secrets. Rows of a log that a crash leaves behind are deleted with age. */
async function removeWebhooks(
  { deletions, webhookDeliveries }: ExecutionDependencies['store'],
  organizationId: number,
  stop: AbortSignal | undefined,
): Promise<void> {
  while (!stop?.aborted) {
    const webhookId = await deletions.removeNextWebhook(organizationId);
    if (webhookId === null) return;
    await untilDone(() => webhookDeliveries.removeLog(webhookId), stop);
  }
}
