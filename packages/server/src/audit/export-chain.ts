import { kstTime } from '../rules/kst.ts';
import type { ChainLink } from '../store/audit/chain-scripts.ts';
import type { Store } from '../store/database.ts';

const LINKS_AT_ONCE = 500;

export interface ExportRange {
  /** The `seq` of the last record that the reader already has. */
  readonly after: number;
  /** Waits before looking for more; false when the reader has left. Without it, the export ends at the last record. */
  readonly follow?: () => Promise<boolean>;
}

/**
 * Sealed records of all organizations in the order of their sealing. One process at a time assigns `seq`,
 * so a reader that continues after the last one misses none.
 */
export async function* exportChain(
  { audit }: Pick<Store, 'audit'>,
  range: ExportRange,
): AsyncGenerator<string, void, void> {
  let { after } = range;
  for (;;) {
    const links = await audit.links({ after, limit: LINKS_AT_ONCE });
    yield* links.map(lineOf);
    after = links.at(-1)?.seq ?? after;
    if (links.length === LINKS_AT_ONCE) continue;
    if (!(await range.follow?.())) return;
  }
}

function lineOf({ seq, scope, number, hash, auditId, act }: ChainLink): string {
  const record =
    act === null
      ? null
      : { ...act, id: undefined, at: kstTime(act.at), details: JSON.parse(act.details) };
  return `${JSON.stringify({
    seq,
    audit_id: auditId,
    ...record,
    chain: scope,
    chain_number: number,
    chain_hash: hash,
  })}\n`;
}
