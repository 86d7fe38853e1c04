import type { EnvScope } from '@changgu/contract';
import { ENV_SCOPES } from '@changgu/contract';
import type { Transaction } from './script.ts';

/** The order that jobs of one link and environment run in (D16). */
export function laneOf(accountLinkId: string, envScope: EnvScope): string {
  return `${accountLinkId}:${envScope}`;
}

/**
 * Keeps every other submission to and ending of this lane out until the transaction ends. It must be
 * a statement of its own, before anything is read: a snapshot older than the lock loses promotions.
 * Locks are taken in this order everywhere: lane, job, quota; and never two lanes, but for a link's own.
 */
export async function lockLane(tx: Transaction, lane: string): Promise<void> {
  await tx.dialect.lock(tx.db, `lane:${lane}`);
}

/** All lanes of one link, for what changes the link itself (unlinking). */
export async function lockLanesOfLink(tx: Transaction, accountLinkId: string): Promise<void> {
  for (const envScope of ENV_SCOPES) await lockLane(tx, laneOf(accountLinkId, envScope));
}
