import type { Actor } from '../../rules/principals/actor.ts';
import type { Act } from './act.ts';
import { appendEvent } from './append-event.ts';
import { eventsOfAct } from './events-of-acts.ts';
import type { Transaction } from './script.ts';

/**
 * Records the act in the transaction that performs it: both are committed, or neither. No lock is taken:
 * the sealer adds the row to the chain of its organization afterwards.
 */
export async function recordAct(tx: Transaction, actor: Actor, act: Act): Promise<void> {
  await tx.db
    .insertInto('audit')
    .values({
      at: tx.clock,
      actor_kind: actor.kind,
      actor_id: actor.id,
      organization_id: act.organizationId,
      act: act.act,
      target: act.target ?? null,
      details: JSON.stringify(act.details ?? {}),
      trace_id: actor.traceId,
      address: actor.address ?? null,
      user_agent: actor.userAgent ?? null,
    })
    .execute();
  await appendEvent(tx, ...eventsOfAct(act));
}
