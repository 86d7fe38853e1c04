import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import type { Act } from '../transactions/act.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';
import { chainScripts } from './chain-scripts.ts';

export interface AuditRow extends Required<Omit<Act, 'act' | 'target'>> {
  readonly id: number;
  /** Of whichever version wrote it. */
  readonly act: string;
  readonly at: number;
  readonly actor: Actor;
  readonly target: string | null;
  /** Its position in its organization's chain; null until it is sealed. */
  readonly link: { readonly number: number; readonly hash: string } | null;
}

/** Null is no condition. */
export interface AuditFilter {
  readonly organizationId: number | null;
  readonly act: string | null;
  readonly actorId: string | null;
  readonly target: string | null;
  /** From this moment on, in milliseconds. */
  readonly from: number | null;
  /** Before this moment. */
  readonly until: number | null;
}

interface AuditPage extends AuditFilter {
  /** Only rows older than this one. */
  readonly before: number | null;
  readonly limit: number;
}

export const auditScripts = {
  ...chainScripts,

  /** For an event that has no other transaction, such as a refused login. */
  record: write(
    async (tx, { actor, ...act }: Act & { readonly actor: Actor }): Promise<void> =>
      recordAct(tx, actor, act),
  ),

  /** Newest first. */
  list: read(async (tx, page: AuditPage): Promise<AuditRow[]> => {
    let query = filtered(tx, page).orderBy('audit.id', 'desc').limit(page.limit);
    if (page.before !== null) query = query.where('audit.id', '<', page.before);
    return (await query.execute()).map(auditRow);
  }),
};

function filtered(tx: Transaction, filter: AuditFilter) {
  const { organizationId, act, actorId, target, from, until } = filter;
  let query = rowsWithLinks(tx);
  if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
  if (act !== null) query = query.where('act', '=', act);
  if (actorId !== null) query = query.where('actor_id', '=', actorId);
  if (target !== null) query = query.where('target', '=', target);
  if (from !== null) query = query.where('at', '>=', from);
  if (until !== null) query = query.where('at', '<', until);
  return query;
}

function rowsWithLinks(tx: Transaction) {
  return tx.db
    .selectFrom('audit')
    .leftJoin('audit_chain', 'audit_chain.audit_id', 'audit.id')
    .select(COLUMNS.audit)
    .select(['audit_chain.number', 'audit_chain.hash']);
}

export type StoredAct = Selectable<Database['audit']>;

type RowWithLink = StoredAct & { readonly number: number | null; readonly hash: string | null };

export function auditRow(row: RowWithLink): AuditRow {
  const { number, hash } = row;
  return {
    id: row.id,
    at: row.at,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      traceId: row.trace_id,
      address: row.address,
      userAgent: row.user_agent,
    },
    organizationId: row.organization_id,
    act: row.act,
    target: row.target,
    details: JSON.parse(row.details),
    link: number === null || hash === null ? null : { number, hash },
  };
}
