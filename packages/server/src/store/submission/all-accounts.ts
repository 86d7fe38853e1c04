import { sql } from 'kysely';
import { decideLines, type LineRows, type Stop } from '../../rules/all-accounts/decide-lines.ts';
import { assertOwnKey, type LineJob } from '../../rules/all-accounts/plan-call.ts';
import { actorNamed } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { lockLanesAndProduct } from '../queue/lanes/lane-lock.ts';
import { recordAct } from '../transactions/audit.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import {
  inIndexOrder,
  RetryTransactionError,
  read,
  type Transaction,
  write,
} from '../transactions/script.ts';
import { type CallKey, type CallQuery, readCallRows, readLineRows } from './all-accounts-rows.ts';
import { insertLines, type NewLine, type NewLineJob } from './job-insert.ts';
import { chargeTokens } from './usage.ts';

/** Everything that the transactions of a call need besides its lines. */
export interface CallJobs extends NewLineJob, CallKey {
  readonly requestHash: string;
  readonly storageLimitBytes: number;
  /** What one job of the call stores. */
  readonly jobBytes: number;
}

/** The outcome of one transaction's lines. */
export interface LinesOutcome {
  /** Accounts with a new job. */
  readonly accepted: readonly string[];
  /** Accounts that are no longer active. */
  readonly gone: readonly string[];
  readonly stop: Stop | null;
}

interface SubmitLines {
  readonly call: CallJobs;
  /** Each link's together. */
  readonly lines: readonly NewLine[];
}

export const allAccountsScripts = {
  /** What is needed to plan a call. */
  read: read((tx, query: CallQuery) => readCallRows(tx, query)),

  /** Submits lines in their order. @throws ServiceError IDEMPOTENCY_KEY_CONFLICT */
  submit: inIndexOrder(
    write(async (tx, { call, lines }: SubmitLines): Promise<LinesOutcome> => {
      await lockLanesAndProduct(tx, new Set(lines.map((line) => line.accountLinkId)), call);
      const accountIds = lines.map(({ accountId }) => accountId);
      const rows = await readLineRows(tx, call, accountIds);
      // Another request may have taken the key since the call was planned; its jobs are not this call's.
      assertOwnKey(rows, call);
      const { accept, gone, stop } = decideLines(rows, lines, call);
      if (accept.length > 0) await acceptLines(tx, call, rows, accept);
      return { accepted: accept.map(({ accountId }) => accountId), gone, stop };
    }),
  ),

  /** The current state of the jobs that this request has created with its key, by account. */
  jobsOfKey: read(
    async (
      tx,
      key: Pick<CallJobs, 'organizationId' | 'envScope' | 'idempotencyKey' | 'requestHash'>,
    ): Promise<ReadonlyMap<string, LineJob>> => {
      const rows = await tx.db
        .selectFrom('jobs')
        .select(['idempotency_account', 'id', 'status'])
        .where('organization_id', '=', key.organizationId)
        .where('env_scope', '=', key.envScope)
        .where('operation', '=', 'all_accounts')
        .where('idempotency_key', '=', key.idempotencyKey)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('all_accounts_keys')
              .select('request_hash')
              .where('organization_id', '=', key.organizationId)
              .where('env_scope', '=', key.envScope)
              .where('idempotency_key', '=', key.idempotencyKey)
              .where('request_hash', '=', key.requestHash),
          ),
        )
        .execute();
      return new Map(
        rows.map(({ idempotency_account: account, id, status }) => [account, { id, status }]),
      );
    },
  ),
};

/** The key before the tokens: whoever waits for tokens holds nothing that their holder waits for. */
async function acceptLines(
  tx: Transaction,
  call: CallJobs,
  { now, usages }: LineRows,
  lines: readonly NewLine[],
): Promise<void> {
  await claimKey(tx, call, now);
  const charged = await chargeTokens(tx, call, usages, lines.length * call.usageTokens);
  const accepted = { now, chargedPeriods: usages.map(({ key }) => key) };
  // Another request used the tokens or removed an account since the rows were read.
  if (!charged || !(await insertLines(tx, call, accepted, lines)))
    throw new RetryTransactionError();
  await recordAct(tx, actorNamed(call.submittedBy, call.origin), {
    organizationId: call.organizationId,
    act: 'job.submit_all_accounts',
    target: lines.at(0)?.jobId ?? '',
    details: { action: call.action, env_scope: call.envScope, jobs: lines.length },
  });
}

/** The first accepted line records what the key is used for. */
async function claimKey(tx: Transaction, call: CallJobs, now: number): Promise<void> {
  const [row] = await upsertKey(tx, { ...call, now });
  if (row?.request_hash !== call.requestHash) throw new ServiceError('IDEMPOTENCY_KEY_CONFLICT');
}

const upsertKey = compiled((tx, slot: SlotOf<CallJobs & { now: number }>) =>
  tx.db
    .insertInto('all_accounts_keys')
    .values({
      organization_id: slot('organizationId'),
      env_scope: slot('envScope'),
      idempotency_key: slot('idempotencyKey'),
      request_hash: slot('requestHash'),
      created_at: slot('now'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'env_scope', 'idempotency_key'])
        .doUpdateSet({ request_hash: sql`all_accounts_keys.request_hash` }),
    )
    .returning('request_hash'),
);
