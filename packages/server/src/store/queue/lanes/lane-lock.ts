import type { EnvScope } from '@changgu/contract';
import { ENV_SCOPES } from '@changgu/contract';
import type { Transaction } from '../../transactions/script.ts';

/** The order in which jobs of one link and environment run. */
export function laneOf(accountLinkId: string, envScope: EnvScope): string {
  return `${accountLinkId}:${envScope}`;
}

/**
 * Keeps every other submission to and ending of this lane out until the transaction ends. It must be
 * a separate statement before anything is read, because a snapshot older than the lock would lose promotions.
 * Locks are taken in this order everywhere: lanes, product, job, key of an all-accounts call, quota, breaker.
 * Several lanes are taken at once, sorted by link and then by environment.
 */
export async function lockLane(tx: Transaction, lane: string): Promise<void> {
  await tx.dialect.lock(tx, lockOf(lane));
}

/** The same for several lanes, in the order in which all transactions take them. */
export async function lockLanes(tx: Transaction, lanes: ReadonlySet<string>): Promise<void> {
  await tx.dialect.lock(tx, ...[...lanes].toSorted().map(lockOf));
}

/** All lanes of one link, for changes to the link itself (unlinking). */
export async function lockLanesOfLink(tx: Transaction, accountLinkId: string): Promise<void> {
  await lockLanes(tx, new Set(ENV_SCOPES.map((envScope) => laneOf(accountLinkId, envScope))));
}

/** The lanes of several links in one environment, and after them the cap of a product. */
export async function lockLanesAndProduct(
  tx: Transaction,
  accountLinkIds: ReadonlySet<string>,
  product: {
    readonly organizationId: number;
    readonly envScope: EnvScope;
    readonly laneScope: EnvScope;
    readonly action: string;
  },
): Promise<void> {
  const { organizationId, envScope, laneScope, action } = product;
  const lanes = [...accountLinkIds].toSorted().map((id) => lockOf(laneOf(id, laneScope)));
  await tx.dialect.lock(tx, ...lanes, `product:${organizationId}:${envScope}:${action}`);
}

function lockOf(lane: string): string {
  return `lane:${lane}`;
}
