import { LIMITS } from '@changgu/contract';
import type { AuditEntry, AuditListResponse } from '@changgu/contract/schemas';
import { kstTime } from '../rules/kst.ts';
import type { AuditFilter, AuditRow } from '../store/audit/audit-scripts.ts';
import type { Store } from '../store/database.ts';

export interface AuditQuery {
  readonly organization_id?: number;
  readonly act?: string;
  readonly actor_id?: string;
  readonly target?: string;
  readonly from?: string;
  readonly until?: string;
}

interface AuditPageQuery extends AuditQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

const EXPORTED_AT_ONCE = 500;

/** One page, newest first. The cursor is the id of the last row shown; ids only grow. */
export async function readAudit(
  { audit }: Pick<Store, 'audit'>,
  { limit = LIMITS.page.default, cursor, ...query }: AuditPageQuery,
): Promise<AuditListResponse> {
  const rows = await audit.list({
    ...filterOf(query),
    before: cursor === undefined ? null : Number(cursor),
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(auditEntry),
    next_cursor: rows.length > limit && last ? String(last.id) : null,
  };
}

/** All rows, newest first, one line of JSON each. */
export async function* exportAudit(
  { audit }: Pick<Store, 'audit'>,
  query: AuditQuery,
): AsyncGenerator<string, void, void> {
  const filter = filterOf(query);
  for (let before: number | null = null; ; ) {
    const rows: AuditRow[] = await audit.list({ ...filter, before, limit: EXPORTED_AT_ONCE });
    if (rows.length > 0) yield rows.map(jsonLine).join('');
    before = rows.at(-1)?.id ?? null;
    if (before === null || rows.length < EXPORTED_AT_ONCE) return;
  }
}

function filterOf(query: AuditQuery): AuditFilter {
  const { from, until } = query;
  return {
    organizationId: query.organization_id ?? null,
    act: query.act ?? null,
    actorId: query.actor_id ?? null,
    target: query.target ?? null,
    from: from === undefined ? null : Date.parse(from),
    until: until === undefined ? null : Date.parse(until),
  };
}

export function jsonLine(row: AuditRow): string {
  return `${JSON.stringify(auditEntry(row))}\n`;
}

function auditEntry(row: AuditRow): AuditEntry {
  return {
    audit_id: row.id,
    at: kstTime(row.at),
    actor_kind: row.actor.kind,
    actor_id: row.actor.id,
    organization_id: row.organizationId,
    act: row.act,
    target: row.target,
    details: row.details,
    trace_id: row.actor.traceId,
    address: row.actor.address ?? null,
    user_agent: row.actor.userAgent ?? null,
    chain_number: row.link?.number ?? null,
    chain_hash: row.link?.hash ?? null,
  };
}
