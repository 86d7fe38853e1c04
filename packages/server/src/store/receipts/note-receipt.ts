import type { EndState } from '@changgu/contract';
import type { FileFacts } from '../../rules/endings/endings.ts';
import { receiptFacts } from '../../rules/receipts/statement.ts';
import type { Transaction } from '../transactions/script.ts';

interface EndedAct {
  readonly id: string;
  readonly status: EndState;
  readonly passedPointAt: number;
  readonly finishedAt: number;
  readonly files: readonly FileFacts[];
}

/** Records what a job's receipt will say, in the transaction that ends the job. It is signed after the commit. */
export async function noteReceipt(tx: Transaction, act: EndedAct): Promise<void> {
  const job = await tx.db
    .selectFrom('jobs')
    .select(['id', 'organization_id', 'env_scope', 'submitted_by', 'provider', 'action'])
    .select(['account_link_id', 'params', 'idempotency_key', 'identity_hash', 'submitted_at'])
    .select('error')
    .where('id', '=', act.id)
    .executeTakeFirstOrThrow();
  const { status, passedPointAt: submit_step_at, finishedAt: finished_at } = act;
  const facts = receiptFacts({ ...job, status, submit_step_at, finished_at }, act.files);
  const { id: job_id, organization_id, env_scope, submitted_by, action } = job;
  await tx.db
    .insertInto('receipts')
    .values({
      job_id,
      organization_id,
      env_scope,
      submitted_by,
      action,
      facts: JSON.stringify(facts),
    })
    .execute();
}
