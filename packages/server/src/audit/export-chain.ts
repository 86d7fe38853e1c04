import { pause, realTimers } from '../engine/timers.ts';
import { kstTime } from '../rules/kst.ts';
import type { ChainLink } from '../store/audit/chain-scripts.ts';
import type { Store } from '../store/database.ts';

const LINKS_AT_ONCE = 500;
const LOOK_AGAIN_MS = 1_000;

/** From where on, and whether to wait for more. */
export interface ExportRange {
  readonly after: number;
  readonly follow: boolean;
}

/**
 * Sealed records of all organizations in the order of their sealing. Sealing gives them their `seq`
 * one process at a time, so that whoever continues after the last one misses none.
 */
export async function* exportChain(
  { audit }: Pick<Store, 'audit'>,
  range: ExportRange,
  stop: AbortSignal,
): AsyncGenerator<string, void, void> {
  let { after } = range;
  while (!stop.aborted) {
    const links = await audit.links({ after, limit: LINKS_AT_ONCE });
    yield* links.map(lineOf);
    after = links.at(-1)?.seq ?? after;
    if (links.length === LINKS_AT_ONCE) continue;
    if (!range.follow) return;
    await pause(realTimers, LOOK_AGAIN_MS, stop).catch(() => {});
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
