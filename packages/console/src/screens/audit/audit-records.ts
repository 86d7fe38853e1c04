import type { AuditEntry, AuditListResponse } from '@changgu/contract';
import { call, callForText } from '../../api/call.ts';
import { session } from '../../api/session.ts';

const PAGE_SIZE = 100;

export interface AuditFilter {
  readonly act?: string;
  /** Operators only; others see their own. */
  readonly organization_id?: number;
}

/** Every record that matches the filter, newest first. */
export async function readAllAudit(filter: AuditFilter): Promise<readonly AuditEntry[]> {
  if (session.value?.kind !== 'operator') {
    const lines = await callForText('exportOwnAudit', { query: filter });
    return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }
  const records: AuditEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { ...filter, limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) };
    const page: AuditListResponse = await call('listAudit', { query });
    records.push(...page.items);
    cursor = page.next_cursor;
  }
  return records;
}
