import type { EnvScope } from '@changgu/contract';
import { sql } from 'kysely';
import { appendEvent } from '../transactions/append-event.ts';
import { inLockOrder } from '../transactions/lock-order.ts';
import type { Transaction } from '../transactions/script.ts';
import { IS_UNFINISHED } from './job-predicates.ts';

interface Line {
  readonly operation: string;
  readonly organization_id: number;
  readonly env_scope: EnvScope;
  readonly idempotency_key: string;
  readonly finished_at: number | null;
}

/** Tells of every all-accounts call whose last job is one of those that this transaction ended; of each once. */
export async function noteFinishedCalls(tx: Transaction, ended: readonly Line[]): Promise<void> {
  const lines = ended.filter(({ operation }) => operation === 'all_accounts');
  const calls = new Map(lines.toSorted(byEnd).map((line) => [keyOf(line), line]));
  for (const [, line] of [...calls].toSorted(([a], [b]) => inLockOrder(a, b))) {
    await noteFinishedCall(tx, line);
  }
}

function byEnd(a: Line, b: Line): number {
  return (a.finished_at ?? 0) - (b.finished_at ?? 0);
}

function keyOf(line: Line): string {
  return `${line.organization_id} ${line.env_scope} ${line.idempotency_key}`;
}

/** The row of its key is locked first, or the two last jobs would each see the other unfinished. */
async function noteFinishedCall(tx: Transaction, line: Line): Promise<void> {
  const { organization_id: organizationId, env_scope: envScope, idempotency_key: key } = line;
  await tx.db
    .selectFrom('all_accounts_keys')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where('env_scope', '=', envScope)
    .where('idempotency_key', '=', key)
    .modifyEnd(tx.dialect.forUpdate)
    .execute();
  const linesOfCall = tx.db
    .selectFrom('jobs')
    .where('organization_id', '=', organizationId)
    .where('env_scope', '=', envScope)
    .where(sql<boolean>`operation = 'all_accounts'`)
    .where('idempotency_key', '=', key);
  const unfinished = await linesOfCall
    .select('seq')
    .where(IS_UNFINISHED)
    .limit(1)
    .executeTakeFirst();
  if (unfinished !== undefined) return;
  const counts = await linesOfCall
    .select(({ fn }) => ['status', fn.countAll<number>().as('jobs')])
    .groupBy('status')
    .execute();
  await appendEvent(tx, {
    organizationId,
    envScope,
    type: 'all_accounts.finished',
    subject: { idempotency_key: key },
    data: Object.fromEntries(counts.map(({ status, jobs }) => [status.toLowerCase(), jobs])),
    ...(line.finished_at === null ? {} : { at: line.finished_at }),
  });
}
