import { type IdRange, SEALED_AT_ONCE, type SeenRow } from '../store/audit/chain-scripts.ts';
import type { Store } from '../store/database.ts';

/** How many rows below the highest sealed one a new process checks again. */
const LOOKED_AT_AGAIN = 10_000;
/** No transaction stays open longer, so no row can appear at an id that was missing for this time. */
const SETTLED_AFTER_MS = 15_000;

/** Ids below others that have rows: theirs may still be committed, or was rolled back. */
interface Gap extends IdRange {
  /** When it was noticed. */
  readonly since: number;
}

/**
 * Adds audit rows to the chains of their organizations shortly after they were written. With concurrent writers,
 * ids follow the start of transactions and visibility follows their commit, so each row is looked at once and the
 * ids missing between them again until they have settled; whichever process seals a row, all go on behind it.
 * Each round returns whether there is more to seal.
 */
export function createSealer(
  { audit }: Pick<Store, 'audit'>,
  monotonic: () => number,
): () => Promise<boolean> {
  let after: number | null = null;
  let gaps: readonly Gap[] = [];

  return async () => {
    after ??= Math.max(0, (await audit.sealedUpTo()) - LOOKED_AT_AGAIN);
    const { next, late } = await audit.look({ after, gaps });
    const upTo = next.at(-1)?.id ?? after;
    if ([...next, ...late].some(isUnsealed)) {
      const ids = late.filter(isUnsealed).map(({ id }) => ({ from: id, to: id }));
      await audit.seal({ from: after + 1, to: upTo, late: ids });
    }
    const now = monotonic();
    gaps = [
      ...gaps
        .filter(({ since }) => now - since <= SETTLED_AFTER_MS)
        .flatMap((gap) => withoutRows(gap, late)),
      ...withoutRows({ from: after + 1, to: upTo, since: now }, next),
    ];
    after = upTo;
    // The rest waits for the next round, so that sealing takes little from the writers.
    return next.length === SEALED_AT_ONCE;
  };
}

function isUnsealed({ link }: SeenRow): boolean {
  return link === null;
}

/** What is left of a gap between the rows seen in it, which come in the order of their ids. */
function withoutRows({ from, to, since }: Gap, rows: readonly SeenRow[]): Gap[] {
  const ids = rows.map(({ id }) => id).filter((id) => id >= from && id <= to);
  return [...ids, to + 1].flatMap((id, n) => {
    const start = (ids[n - 1] ?? from - 1) + 1;
    return start < id ? [{ from: start, to: id - 1, since }] : [];
  });
}
