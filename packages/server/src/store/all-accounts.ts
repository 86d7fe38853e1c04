import { sql } from 'kysely';
import type { LineJob } from '../jobs/all-accounts-plan.ts';
import { decideLines, type Stop } from '../jobs/decide-lines.ts';
import { ServiceError } from '../service-error.ts';
import { type CallQuery, readCallRows } from './all-accounts-rows.ts';
import { compiled, type SlotOf } from './compiled.ts';
import { insertLines, type NewLine, type NewLineJob } from './job-insert.ts';
import { laneOf, lockLane } from './lane-lock.ts';
import { RunAgain, read, type Transaction, write } from './script.ts';
import { chargeTokens } from './usage.ts';

/** All that the transactions of a call need besides its lines. */
export interface CallJobs extends Omit<NewLineJob, 'accountLinkId'> {
  readonly requestHash: string;
  readonly plans: CallQuery['plans'];
  readonly cap: number;
  readonly capWindowSeconds: number;
}

/** Lines of one link, in the order of the answer. */
export interface LinkLines {
  readonly accountLinkId: string;
  readonly lines: readonly NewLine[];
}

/** What one transaction made of the first links that it was given. */
export interface LinesOutcome {
  /** How many of the links it did; at least one. */
  readonly links: number;
  /** Accounts with a new job. */
  readonly accepted: readonly string[];
  /** Accounts that are no longer in force. */
  readonly gone: readonly string[];
  readonly stop: Stop | null;
}

interface SubmitLines {
  readonly call: CallJobs;
  readonly links: readonly LinkLines[];
}

export const allAccountsScripts = {
  /** What plans a call. */
  read: read((tx, query: CallQuery) => readCallRows(tx, query)),

  /**
   * Submits the lines of one link, in one transaction; where writers are serial anyway, of all links
   * given (D136). @throws ServiceError IDEMPOTENCY_KEY_CONFLICT
   */
  submit: write(async (tx, { call, links }: SubmitLines): Promise<LinesOutcome> => {
    const accepted: string[] = [];
    const gone: string[] = [];
    let done = 0;
    for (const link of tx.dialect.name === 'sqlite' ? links : links.slice(0, 1)) {
      const outcome = await submitLink(tx, call, link);
      accepted.push(...outcome.accept.map(({ accountId }) => accountId));
      gone.push(...outcome.gone);
      done += 1;
      if (outcome.stop) return { links: done, accepted, gone, stop: outcome.stop };
    }
    return { links: done, accepted, gone, stop: null };
  }),

  /** The jobs that a key has made, as they are now, by account. */
  jobsOfKey: read(
    async (
      tx,
      key: Pick<CallQuery, 'organizationId' | 'envScope' | 'idempotencyKey'>,
    ): Promise<ReadonlyMap<string, LineJob>> => {
      const rows = await tx.db
        .selectFrom('jobs')
        .select(['idempotency_account', 'id', 'status'])
        .where('organization_id', '=', key.organizationId)
        .where('env_scope', '=', key.envScope)
        .where('operation', '=', 'all_accounts')
        .where('idempotency_key', '=', key.idempotencyKey)
        .execute();
      return new Map(
        rows.map(({ idempotency_account: account, id, status }) => [account, { id, status }]),
      );
    },
  ),
};

/** Locks in this order: lane, product, key, tokens. Nobody who holds a later one waits for an earlier (R134). */
async function submitLink(tx: Transaction, call: CallJobs, { accountLinkId, lines }: LinkLines) {
  await lockLane(tx, laneOf(accountLinkId, call.envScope));
  await tx.dialect.lock(tx.db, `product:${call.organizationId}:${call.envScope}:${call.action}`);
  const accountIds = lines.map(({ accountId }) => accountId);
  const rows = await readCallRows(tx, { ...call, accountLinkId, accountIds });
  const hasJob = new Map(rows.accounts.map(({ id, job }) => [id, job !== null]));
  const decision = decideLines({ ...rows, hasJob }, lines, call);
  const { accept } = decision;
  if (accept.length === 0) return decision;
  await claimKey(tx, call, rows.now);
  const tokens = accept.length * call.usageTokens;
  const charged = await chargeTokens(tx, call, rows.usages, tokens);
  const chargedPeriods = rows.usages.map(({ key }) => key);
  const accepted = { now: rows.now, chargedPeriods };
  // Somebody used the tokens or unlinked an account since the rows were read.
  if (!charged || !(await insertLines(tx, { ...call, accountLinkId }, accepted, accept))) {
    throw new RunAgain();
  }
  return decision;
}

/** The first accepted line says what the key is for (D30). */
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
