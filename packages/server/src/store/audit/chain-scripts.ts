import { sql } from 'kysely';
import {
  type ChainHead,
  chainScope,
  EMPTY_CHAIN,
  nextLink,
  type SealedAct,
} from '../../rules/audit/chain.ts';
import { COLUMNS } from '../schema/columns.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** Rows looked at, and sealed, at a time. */
export const SEALED_AT_ONCE = 500;

/** Ids of audit rows, both ends included. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

/** An audit row that can be seen. */
export interface SeenRow {
  readonly id: number;
  /** Its link; null until it is sealed. */
  readonly link: number | null;
}

/** A link of a chain with the row that it seals; the row is null when it is gone. */
export interface ChainLink extends ChainHead {
  readonly seq: number;
  readonly scope: string;
  readonly auditId: number;
  readonly act: SealedAct | null;
}

/** The hash chains over the audit rows. */
export const chainScripts = {
  /** The highest id of a sealed row; 0 when there is none. */
  sealedUpTo: read(async (tx): Promise<number> => {
    const row = await tx.db
      .selectFrom('audit_chain')
      .select('audit_id')
      .orderBy('audit_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.audit_id ?? 0;
  }),

  /** The next rows above this id, and those in the gaps, each in the order of their ids. */
  look: read(
    async (
      tx,
      { after, gaps }: { readonly after: number; readonly gaps: readonly IdRange[] },
    ): Promise<{ readonly next: readonly SeenRow[]; readonly late: readonly SeenRow[] }> => {
      const next = await tx.db
        .selectFrom('audit')
        .select(['id', LINK.as('link')])
        .where('id', '>', after)
        .orderBy('id')
        .limit(SEALED_AT_ONCE)
        .execute();
      if (gaps.length === 0) return { next, late: [] };
      const late = await sql<SeenRow>`
        select audit.id, ${LINK} as link ${fromRanges(tx, gaps)}`.execute(tx.db);
      return { next, late: late.rows };
    },
  ),

  /** How many rows are not sealed yet, counted over the whole table. */
  countUnsealed: read(async (tx): Promise<number> => {
    const { waiting } = await tx.db
      .selectFrom('audit')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('audit_chain')
              .select('audit_chain.seq')
              .whereRef('audit_chain.audit_id', '=', 'audit.id'),
          ),
        ),
      )
      .select(({ fn }) => fn.countAll<number>().as('waiting'))
      .executeTakeFirstOrThrow();
    return waiting;
  }),

  /** Adds the rows of a range, and late ones, to their organizations' chains, once each. One process at a time. */
  seal: write(
    async (
      tx,
      { from, to, late }: IdRange & { readonly late: readonly IdRange[] },
    ): Promise<void> => {
      await tx.dialect.lock(tx, 'audit-chain');
      const rows = await tx.db
        .selectFrom('audit')
        .select(COLUMNS.audit)
        .select(LINK.as('link'))
        .where('id', '>=', from)
        .where('id', '<=', to)
        .orderBy('id')
        .execute();
      const acts = [...(await actsIn(tx, late)), ...rows].filter(({ link }) => link === null);
      if (acts.length === 0) return;
      await insertLinks(tx, acts, await headsOf(tx, new Set(acts.map(chainScope))));
    },
  ),

  /** Links of all chains in the order of their sealing. */
  links: read(
    async (
      tx,
      { after, limit }: { readonly after: number; readonly limit: number },
    ): Promise<ChainLink[]> => {
      const rows = await tx.db
        .selectFrom('audit_chain')
        .leftJoin('audit', 'audit.id', 'audit_chain.audit_id')
        .select(COLUMNS.audit)
        .select(['seq', 'scope', 'number', 'audit_id', 'hash'])
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map(({ seq, scope, number, audit_id: auditId, hash, ...act }) => ({
        seq,
        scope,
        number,
        auditId,
        hash,
        act: act.id === null ? null : (act as SealedAct),
      }));
    },
  ),
};

/** Looked up for each row, never a condition: PostgreSQL might join the whole chain for a few rows. */
const LINK = sql<number | null>`(
  select audit_chain.seq from audit_chain where audit_chain.audit_id = audit.id)`;

type UnlinkedAct = SealedAct & Pick<SeenRow, 'link'>;

async function actsIn(tx: Transaction, ranges: readonly IdRange[]): Promise<UnlinkedAct[]> {
  if (ranges.length === 0) return [];
  const columns = sql.join(COLUMNS.audit.map((column) => sql.ref(column)));
  const { rows } = await sql<UnlinkedAct>`
    select ${columns}, ${LINK} as link ${fromRanges(tx, ranges)}`.execute(tx.db);
  return rows;
}

/** The audit rows of some ids, in their order. */
function fromRanges(tx: Transaction, ranges: readonly IdRange[]) {
  return sql`from ${tx.dialect.each(JSON.stringify(ranges))} join audit
    on audit.id between cast(line.value ->> 'from' as bigint) and cast(line.value ->> 'to' as bigint)
    order by audit.id`;
}

async function headsOf(tx: Transaction, scopes: Iterable<string>): Promise<Map<string, ChainHead>> {
  const heads = new Map<string, ChainHead>();
  for (const scope of scopes) {
    const head = await tx.db
      .selectFrom('audit_chain')
      .select(['number', 'hash'])
      .where('scope', '=', scope)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    heads.set(scope, head ?? EMPTY_CHAIN);
  }
  return heads;
}

async function insertLinks(
  tx: Transaction,
  acts: readonly SealedAct[],
  heads: Map<string, ChainHead>,
): Promise<void> {
  const links = acts.map((act) => {
    const scope = chainScope(act);
    const link = nextLink(heads.get(scope) ?? EMPTY_CHAIN, act);
    heads.set(scope, link);
    return { scope, ...link, auditId: act.id };
  });
  await tx.db
    .insertInto('audit_chain')
    .columns(['scope', 'number', 'audit_id', 'hash'])
    .expression(
      sql`select line.value ->> 'scope', cast(line.value ->> 'number' as bigint),
          cast(line.value ->> 'auditId' as bigint), line.value ->> 'hash'
        from ${tx.dialect.each(JSON.stringify(links))} order by line.n`,
    )
    .execute();
}
