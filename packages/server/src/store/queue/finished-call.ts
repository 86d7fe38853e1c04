import type { EnvScope } from '@changgu/contract';
import { sql } from 'kysely';
import { appendEvent } from '../transactions/append-event.ts';
import type { Transaction } from '../transactions/script.ts';
import { IS_UNFINISHED } from './job-predicates.ts';

interface Line {
  readonly organization_id: number;
  readonly env_scope: EnvScope;
  readonly idempotency_key: string;
  readonly finished_at: number | null;
}

/**
 * Tells that the last job of an all-accounts call has ended. The row of its key is locked first, or the two last
 * ones would each see the other unfinished.
 */
export async function noteFinishedCall(tx: Transaction, line: Line): Promise<void> {
  const { organization_id: organizationId, env_scope: envScope, idempotency_key: key } = line;
  await tx.db
    .selectFrom('all_accounts_keys')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where('env_scope', '=', envScope)
    .where('idempotency_key', '=', key)
    .$if(tx.dialect.name === 'postgres', (query) => query.forUpdate())
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
