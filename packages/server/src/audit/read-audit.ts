import type { AuditListResponse } from '@changgu/contract/schemas';
import { kstTime } from '../rules/kst.ts';
import type { Store } from '../store/database.ts';
import type { AuditRow } from '../store/transactions/audit.ts';

interface AuditQuery {
  readonly organization_id?: number;
  readonly act?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** The audit room, newest first. The cursor is the id of the last row shown: ids only grow. */
export async function readAudit(
  { audit }: Pick<Store, 'audit'>,
  { organization_id: organizationId, act, limit = 20, cursor }: AuditQuery,
): Promise<AuditListResponse> {
  const rows = await audit.list({
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(act === undefined ? {} : { act }),
    ...(cursor === undefined ? {} : { before: Number(cursor) }),
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toEntry),
    next_cursor: rows.length > limit && last ? String(last.id) : null,
  };
}

function toEntry(row: AuditRow): AuditListResponse['items'][number] {
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
  };
}
