import { type ChainHead, chainScope, EMPTY_CHAIN, nextLink } from '../rules/audit/chain.ts';
import type { ChainLink } from '../store/audit/chain-scripts.ts';
import type { Store } from '../store/database.ts';

const LINKS_AT_ONCE = 1_000;

/** The head of the chain of an organization, or of the service itself. */
export interface NamedHead extends ChainHead {
  readonly scope: string;
}

/** The first row that differs from what was sealed. */
export interface BrokenLink {
  readonly scope: string;
  readonly number: number;
  readonly audit_id: number | null;
  readonly reason: string;
}

export interface AuditVerification {
  readonly sealed: number;
  /** Rows written since the last sealing; the chain does not cover them yet. */
  readonly unsealed: number;
  readonly heads: readonly NamedHead[];
  readonly broken: BrokenLink | null;
}

/**
 * Recomputes every chain. `known` are heads printed earlier and kept elsewhere: without them it cannot be
 * detected that the end of a chain was cut off or the whole chain rebuilt.
 */
export async function verifyAudit(
  { audit }: Pick<Store, 'audit'>,
  known: readonly NamedHead[] = [],
): Promise<AuditVerification> {
  const heads = new Map<string, ChainHead>();
  const expected = new Map(known.map(({ scope, number, hash }) => [`${scope}/${number}`, hash]));
  let sealed = 0;
  let broken: BrokenLink | null = null;
  for (let after = 0; broken === null; ) {
    const links = await audit.links({ after, limit: LINKS_AT_ONCE });
    for (const link of links) {
      broken ??= fault(link, heads.get(link.scope) ?? EMPTY_CHAIN, expected);
      heads.set(link.scope, link);
    }
    sealed += links.length;
    after = links.at(-1)?.seq ?? after;
    if (links.length < LINKS_AT_ONCE) break;
  }
  broken ??= shortened(known, heads);
  return {
    sealed,
    unsealed: await audit.countUnsealed(),
    heads: [...heads].map(([scope, { number, hash }]) => ({ scope, number, hash })),
    broken,
  };
}

function fault(
  link: ChainLink,
  head: ChainHead,
  expected: ReadonlyMap<string, string>,
): BrokenLink | null {
  const { scope, number, auditId, act } = link;
  const broken = (reason: string) => ({ scope, number, audit_id: auditId, reason });
  if (number !== head.number + 1) return broken(`row ${head.number + 1} of the chain is missing`);
  if (act === null) return broken('the row was removed');
  const matches = chainScope(act) === scope && nextLink(head, act).hash === link.hash;
  if (!matches) return broken('the row was changed');
  const known = expected.get(`${scope}/${number}`);
  return known === undefined || known === link.hash
    ? null
    : broken('the chain is not the one that this head was taken from');
}

function shortened(
  known: readonly NamedHead[],
  heads: ReadonlyMap<string, ChainHead>,
): BrokenLink | null {
  const missing = known.find(({ scope, number }) => (heads.get(scope)?.number ?? 0) < number);
  if (missing === undefined) return null;
  const { scope, number } = missing;
  return { scope, number, audit_id: null, reason: 'the end of the chain was cut off' };
}
