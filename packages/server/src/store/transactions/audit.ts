import type { Actor } from '../../rules/principals/actor.ts';
import { read, type Transaction } from './script.ts';

/** What is done, to whom. `details` never holds a secret or a personal datum. */
export interface Act {
  readonly organizationId: number | null;
  /** `<subject>.<verb>` */
  readonly act: string;
  readonly target?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

export interface AuditRow extends Required<Omit<Act, 'target'>> {
  readonly id: number;
  readonly at: number;
  readonly actor: Actor;
  readonly target: string | null;
}

/** Writes the act down in the transaction that does it: both happen, or neither. */
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
    })
    .execute();
}

interface AuditFilter {
  readonly organizationId?: number;
  readonly act?: string;
  /** Only rows older than this one. */
  readonly before?: number;
  readonly limit: number;
}

export const auditScripts = {
  /** Newest first. */
  list: read(async (tx, filter: AuditFilter): Promise<AuditRow[]> => {
    const { organizationId, act, before } = filter;
    let query = tx.db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(filter.limit);
    if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId);
    if (act !== undefined) query = query.where('act', '=', act);
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.execute()).map((row) => ({
      id: row.id,
      at: row.at,
      actor: { kind: row.actor_kind, id: row.actor_id, traceId: row.trace_id },
      organizationId: row.organization_id,
      act: row.act,
      target: row.target,
      details: JSON.parse(row.details),
    }));
  }),
};
