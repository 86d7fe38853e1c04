import type { Parts } from '../core.ts';
import { executeDueDeletions } from './execute-deletions.ts';

/** What time alone makes due: deletions, ends of subscriptions, login attempts to forget. */
export async function maintainOrganizations({ store, vault }: Parts): Promise<void> {
  await executeDueDeletions({ store, vault });
  while ((await store.subscriptions.endPeriods()) > 0);
  while ((await store.loginAttempts.purge()) > 0);
}
