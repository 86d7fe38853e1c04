import { type Kysely, sql } from 'kysely';
import {
  type ChainHead,
  chainScope,
  EMPTY_CHAIN,
  nextLink,
  type SealedAct,
} from '../../rules/audit/chain.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** Rows sealed per transaction. */
export const SEALED_AT_ONCE = 500;

export interface SealedBatch {
  readonly sealed: number;
  /** The highest id among them; null when there were none. */
  readonly highest: number | null;
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

  /** Whether there is an unsealed row above this id. */
  hasUnsealed: read(async (tx, { after }: { readonly after: number }): Promise<boolean> => {
    const row = await unsealed(tx.db, after).select('id').limit(1).executeTakeFirst();
    return row !== undefined;
  }),

  /** How many rows are not sealed yet, counted over the whole table. */
  countUnsealed: read(async (tx): Promise<number> => {
    const { waiting } = await unsealed(tx.db, 0)
      .select(({ fn }) => fn.countAll<number>().as('waiting'))
      .executeTakeFirstOrThrow();
    return waiting;
  }),

  /** Adds the rows above this id to their organizations' chains. One process at a time. */
  seal: write(async (tx, { after }: { readonly after: number }): Promise<SealedBatch> => {
    await tx.dialect.lock(tx, 'audit-chain');
    const acts = await unsealed(tx.db, after)
      .select(COLUMNS.audit)
      .orderBy('id')
      .limit(SEALED_AT_ONCE)
      .execute();
    const last = acts.at(-1);
    if (last === undefined) return { sealed: 0, highest: null };
    await insertLinks(tx, acts, await headsOf(tx, new Set(acts.map(chainScope))));
    return { sealed: acts.length, highest: last.id };
  }),

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

function unsealed(db: Kysely<Database>, after: number) {
  return db
    .selectFrom('audit')
    .where('id', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audit_chain')
            .select('audit_chain.seq')
            .whereRef('audit_chain.audit_id', '=', 'audit.id'),
        ),
      ),
    );
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
