import { type JobAccess, mayAccess } from '../../rules/jobs/job-access.ts';
import {
  NO_RECEIPTS,
  type ReceiptFacts,
  type ReceiptHead,
  type ReceiptScope,
} from '../../rules/receipts/statement.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** Receipts signed per transaction. */
export const SIGNED_AT_ONCE = 100;

export interface SignedReceipt {
  readonly jobId: string;
  readonly number: number;
  readonly jws: string;
  readonly hash: string;
}

export interface UnsignedBatch {
  readonly scope: ReceiptScope;
  readonly head: ReceiptHead;
  readonly receipts: readonly { readonly jobId: string; readonly facts: ReceiptFacts }[];
}

/** The public half of a key, as it stays published. */
export interface ReceiptKey {
  readonly kid: string;
  /** base64url */
  readonly x: string;
  /** Real time in milliseconds. */
  readonly createdAt: number;
}

export interface FoundReceipt {
  /** Null while it waits for its signature. */
  readonly signed: SignedReceipt | null;
}

/** Receipts: recorded when their job ends, signed and chained shortly afterwards. */
export const receiptScripts = {
  /** The receipts waiting in one chain: the requested one, or any. */
  unsigned: read(async (tx, scope: ReceiptScope | null): Promise<UnsignedBatch | null> => {
    const waiting = tx.db.selectFrom('receipts').where('jws', 'is', null);
    let chain = waiting
      .select(['organization_id as organizationId', 'env_scope as envScope'])
      .orderBy('organization_id')
      .limit(1);
    if (scope !== null) {
      chain = chain
        .where('organization_id', '=', scope.organizationId)
        .where('env_scope', '=', scope.envScope);
    }
    const first = await chain.executeTakeFirst();
    if (first === undefined) return null;
    // Before the rows: each statement sees what has been committed by then, and whoever appends moves the head.
    const head = await headOf(tx, first);
    const rows = await waiting
      .select(['job_id as jobId', 'facts'])
      .where('organization_id', '=', first.organizationId)
      .where('env_scope', '=', first.envScope)
      .orderBy('seq')
      .limit(SIGNED_AT_ONCE)
      .execute();
    return {
      scope: first,
      head,
      receipts: rows.map(({ jobId, facts }) => ({ jobId, facts: JSON.parse(facts) })),
    };
  }),

  /** Appends to a chain. If another process was faster, also with all of them, nothing is written and the result is false. */
  append: write(
    async (
      tx,
      input: {
        readonly scope: ReceiptScope;
        readonly head: ReceiptHead;
        readonly key: ReceiptKey;
        readonly receipts: readonly SignedReceipt[];
      },
    ): Promise<boolean> => {
      const { scope, head, key } = input;
      await tx.dialect.lock(tx, `receipts:${scope.organizationId}:${scope.envScope}`);
      if ((await headOf(tx, scope)).number !== head.number) return false;
      // Each names the one before it, so one that is signed by now would leave a gap.
      if (!(await areUnsigned(tx, input.receipts))) return false;
      await tx.db
        .insertInto('receipt_keys')
        .values({ kid: key.kid, x: key.x, created_at: key.createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      for (const { jobId, ...signed } of input.receipts) {
        await tx.db
          .updateTable('receipts')
          .set(signed)
          .where('job_id', '=', jobId)
          .where('jws', 'is', null)
          .execute();
      }
      return true;
    },
  ),

  /** Null when the caller may not see it, or the job has none. */
  find: read(
    async (
      tx,
      { access, jobId }: { readonly access: JobAccess; readonly jobId: string },
    ): Promise<FoundReceipt | null> => {
      const row = await tx.db
        .selectFrom('receipts')
        .select(['job_id as jobId', 'number', 'jws', 'hash'])
        .select(['action', 'submitted_by as submittedBy'])
        .where('job_id', '=', jobId)
        .where('organization_id', '=', access.organizationId)
        .where('env_scope', '=', access.envScope)
        .executeTakeFirst();
      if (row === undefined || !mayAccess(row, access)) return null;
      return { signed: signedOf(row) };
    },
  ),

  /** Signed ones in the order of their numbers. */
  list: read(
    async (
      tx,
      input: { readonly access: JobAccess; readonly after: number; readonly limit: number },
    ): Promise<{ readonly receipts: SignedReceipt[]; readonly next: number | null }> => {
      const { access, after, limit } = input;
      const rows = await tx.db
        .selectFrom('receipts')
        .select(['job_id as jobId', 'number', 'jws', 'hash'])
        .select(['action', 'submitted_by as submittedBy'])
        .where('organization_id', '=', access.organizationId)
        .where('env_scope', '=', access.envScope)
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      const receipts = page
        .filter((row) => mayAccess(row, access))
        .flatMap((row) => signedOf(row) ?? []);
      return { receipts, next: rows.length > limit ? (page.at(-1)?.number ?? null) : null };
    },
  ),

  /** All keys that ever signed, newest first. */
  keys: read(
    async (tx): Promise<ReceiptKey[]> =>
      tx.db
        .selectFrom('receipt_keys')
        .select(['kid', 'x', 'created_at as createdAt'])
        .orderBy('created_at', 'desc')
        .execute(),
  ),
};

async function areUnsigned(
  tx: Transaction,
  receipts: readonly { readonly jobId: string }[],
): Promise<boolean> {
  const jobIds = receipts.map(({ jobId }) => jobId);
  if (jobIds.length === 0) return false;
  const { count } = await tx.db
    .selectFrom('receipts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('job_id', 'in', jobIds)
    .where('jws', 'is', null)
    .executeTakeFirstOrThrow();
  return count === jobIds.length;
}

async function headOf(tx: Transaction, scope: ReceiptScope): Promise<ReceiptHead> {
  const head = await tx.db
    .selectFrom('receipts')
    .select(['number', 'hash'])
    .where('organization_id', '=', scope.organizationId)
    .where('env_scope', '=', scope.envScope)
    .where('number', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return head?.number == null ? NO_RECEIPTS : { number: head.number, hash: head.hash };
}

function signedOf(row: {
  readonly jobId: string;
  readonly number: number | null;
  readonly jws: string | null;
  readonly hash: string | null;
}): SignedReceipt | null {
  const { jobId, number, jws, hash } = row;
  return number === null || jws === null || hash === null ? null : { jobId, number, jws, hash };
}
