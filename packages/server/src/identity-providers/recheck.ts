import type { Vault } from '../crypto/vault.ts';
import { separately } from '../failures/separately.ts';
import type { Store } from '../store/database.ts';
import type { VouchedSession } from '../store/people/vouched-sessions.ts';
import type { ProviderClient } from './provider-client.ts';
import { openTokens, RECHECK_MS, sealTokens, VOUCHED_MS } from './vouched-session.ts';

const BATCH = 20;
/** Longer than a provider may take to answer. */
const CLAIM_MS = 60_000;

export interface RecheckDependencies {
  readonly store: Pick<Store, 'vouchedSessions'>;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly clients: ReadonlyMap<string, ProviderClient>;
}

/**
 * Asks the providers whether they still vouch for those who are logged in. Who has been switched off there, or has
 * logged out, is logged out here; a provider that does not answer is believed for a while. When stopped, it leaves the
 * rest to the next round of any process.
 * @throws PartsFailed when all the rest is done
 */
export async function recheckVouchedSessions(
  dependencies: RecheckDependencies,
  stop?: AbortSignal,
): Promise<void> {
  const { vouchedSessions } = dependencies.store;
  await separately(async (doPart) => {
    let claimed = BATCH;
    while (claimed === BATCH && !stop?.aborted) {
      const claim = () => vouchedSessions.claimDue({ limit: BATCH, claimMs: CLAIM_MS });
      const due = (await doPart('due sessions', claim)) ?? [];
      const recheck = (session: VouchedSession) =>
        doPart(`session ${session.sessionId}`, () => recheckOne(dependencies, session));
      await Promise.all(due.map(recheck));
      claimed = due.length;
    }
  });
}

async function recheckOne(
  { store: { vouchedSessions }, vault, clients }: RecheckDependencies,
  { sessionId, provider, tokens: sealed }: VouchedSession,
): Promise<void> {
  const client = clients.get(provider);
  if (client === undefined) return;
  const answer = await client.recheck(await openTokens(vault, sessionId, sealed));
  switch (answer.verdict) {
    case 'vouched':
      await vouchedSessions.renew({
        sessionId,
        tokens: await sealTokens(vault, sessionId, answer.tokens),
        vouchedForMs: VOUCHED_MS,
        checkAfterMs: RECHECK_MS,
      });
      return;
    case 'refused':
      await vouchedSessions.end({ sessionId, reason: 'refused' });
      return;
    case 'unknown':
      // The next check tries again, until the session has not been vouched for too long.
      return;
  }
}
