import type { AuditEntry } from '@changgu/contract';

export interface ChainCheck {
  readonly sealed: number;
  /** Written just now; the chain does not cover them yet. */
  readonly unsealed: number;
  /** The last link: kept elsewhere, it proves later that nothing before it was changed. */
  readonly head: { readonly number: number; readonly hash: string } | null;
  /** The first record that differs from what was sealed. */
  readonly broken: { readonly number: number; readonly auditId: number | null } | null;
}

/** Recomputes an organization's chain, here and not at the service: from all of its records, in any order. */
export async function checkChain(records: readonly AuditEntry[]): Promise<ChainCheck> {
  const links = records
    .filter(({ chain_number: number }) => number !== null)
    .toSorted((a, b) => (a.chain_number ?? 0) - (b.chain_number ?? 0));
  let head = { number: 0, hash: '' };
  for (const record of links) {
    const number = head.number + 1;
    if (record.chain_number !== number) return result({ number, auditId: null });
    const hash = await hashOf(head.hash, number, record);
    if (hash !== record.chain_hash) return result({ number, auditId: record.audit_id });
    head = { number, hash };
  }
  return result(null);

  function result(broken: ChainCheck['broken']): ChainCheck {
    const unsealed = records.length - links.length;
    return { sealed: links.length, unsealed, head: head.number === 0 ? null : head, broken };
  }
}

/** The fields that the seal covers, in the order of docs/operations.md. */
async function hashOf(before: string, number: number, record: AuditEntry): Promise<string> {
  const sealed = [
    before,
    number,
    record.audit_id,
    Date.parse(record.at),
    record.actor_kind,
    record.actor_id,
    record.organization_id,
    record.act,
    record.target,
    JSON.stringify(record.details),
    record.trace_id,
    record.address,
    record.user_agent,
  ];
  const bytes = new TextEncoder().encode(JSON.stringify(sealed));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
