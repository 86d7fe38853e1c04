import type { EnvScope, JobState } from '@changgu/contract';
import type { LinkPurpose } from '@changgu/contract/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { LineRows } from '../../rules/all-accounts/decide-lines.ts';
import type { LineAccount, PlannedCallRows } from '../../rules/all-accounts/plan-call.ts';
import { serves } from '../../rules/links/link-purpose.ts';
import type { Plans } from '../../rules/quota/plans.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { IS_UNFINISHED } from '../queue/job-predicates.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import type { Transaction } from '../transactions/script.ts';
import { jobOfKey } from './job-of-key.ts';
import { POLICY_COLUMNS, toOrganizationPolicy } from './organization-policy.ts';
import { latestUsage } from './rows-statement.ts';
import { storedBytesOf } from './stored-bytes.ts';
import { usagesOf } from './submission-rows.ts';

/** Identifies the call. */
export interface CallKey {
  readonly organizationId: number;
  readonly envScope: EnvScope;
  readonly action: string;
  readonly idempotencyKey: string;
  readonly plans: Plans;
  /** Unfinished jobs of the product are counted up to this number. */
  readonly cap: number;
  readonly capWindowSeconds: number;
}

export interface CallQuery extends CallKey {
  readonly provider: string;
  /** Null: all links of the bank. */
  readonly accountLinkId: string | null;
  /** The purposes of links that the environment uses; null for any. */
  readonly linkPurpose: LinkPurpose | null;
  /** Null: all accounts of these links. */
  readonly accountIds: readonly string[] | null;
}

/** What is needed to plan a call, before its locks. */
export async function readCallRows(tx: Transaction, query: CallQuery): Promise<PlannedCallRows> {
  const call = await readCall(tx, query);
  const rows = await selectAccounts(
    tx,
    { ...query, accountIds: idList(query.accountIds ?? []) },
    `${query.accountLinkId === null ? 'all' : 'one'} ${query.accountIds ? 'listed' : 'any'}`,
  );
  const usable = rows.filter(({ purpose }) => serves(purpose, query.linkPurpose));
  return {
    ...call,
    linkFound: usable.length > 0,
    unusedPurpose: rows.length > 0 && usable.length === 0 ? query.linkPurpose : null,
    accounts: usable.flatMap(toAccount),
  };
}

/** What decides each of its transactions, under their locks. */
export async function readLineRows(
  tx: Transaction,
  key: CallKey,
  accountIds: readonly string[],
): Promise<LineRows & Pick<PlannedCallRows, 'requestHash'>> {
  const call = await readCall(tx, key);
  const rows = await selectLines(tx, { ...key, accountIds: idList(accountIds) });
  return { ...call, hasJob: new Map(rows.map((row) => [row.account_id, row.job_id !== null])) };
}

async function readCall(tx: Transaction, key: CallKey) {
  const [call] = await selectCall(tx, key, key.envScope === 'sandbox' ? 'free' : 'counted');
  if (call === undefined) throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  const organization = toOrganizationPolicy(call);
  return {
    now: call.now,
    organization,
    storedBytes: call.stored_bytes,
    usages: usagesOf(key, organization, call.now, call.latest_usage),
    requestHash: call.request_hash,
    unfinished: call.unfinished,
  };
}

/** As `dialect.each` takes it. */
function idList(ids: readonly string[]): string {
  return JSON.stringify(ids.map((id) => ({ id })));
}

const selectCall = compiled((tx, slot: SlotOf<CallKey>, variant: 'free' | 'counted') =>
  tx.db
    .selectFrom('organizations')
    .leftJoin('all_accounts_keys', (join) =>
      join
        .onRef('all_accounts_keys.organization_id', '=', 'organizations.id')
        .on('all_accounts_keys.env_scope', '=', slot('envScope'))
        .on('all_accounts_keys.idempotency_key', '=', slot('idempotencyKey')),
    )
    .where('organizations.id', '=', slot('organizationId'))
    .select(POLICY_COLUMNS)
    .select('all_accounts_keys.request_hash')
    .select([tx.clock.as('now'), storedBytesOf(tx).as('stored_bytes')])
    .select(unfinishedOfProduct(tx, slot).as('unfinished'))
    .select(
      (variant === 'counted' ? latestUsage(slot('envScope')) : sql<string | null>`null`).as(
        'latest_usage',
      ),
    ),
);

/** At most as many of the newest as the cap, because there may be very many. */
function unfinishedOfProduct(tx: Transaction, slot: SlotOf<CallKey>): RawBuilder<number> {
  return sql`(select count(*) from (
    select jobs.submitted_at from jobs
    where jobs.organization_id = organizations.id and jobs.env_scope = ${slot('envScope')}
      and jobs.action = ${slot('action')} and ${IS_UNFINISHED}
    order by jobs.submitted_at desc limit ${slot('cap')}) as newest
    where newest.submitted_at > ${tx.clock} - 1000 * cast(${slot('capWindowSeconds')} as bigint))`;
}

/** The job that the call's key created for a bank account. */
function jobOfLine(slot: SlotOf<CallKey>): RawBuilder<number> {
  return jobOfKey({
    organizationId: slot('organizationId'),
    envScope: slot('envScope'),
    operation: sql.lit('all_accounts'),
    idempotencyKey: slot('idempotencyKey'),
    idempotencyAccount: sql.ref('bank_accounts.id'),
  });
}

/** Active accounts, and those suspended since the key created their job. */
function mayHaveLine(jobSeq: RawBuilder<unknown>) {
  return sql<boolean>`bank_accounts.status <> 'UNLINKED'
    and (bank_accounts.status = 'ACTIVE' or ${jobSeq} is not null)`;
}

type AccountsVariant = `${'all' | 'one'} ${'any' | 'listed'}`;
type AccountsValues = Omit<CallQuery, 'accountIds'> & { readonly accountIds: string };

/** Newest link first, newest account first. A link without such accounts has one row. */
const selectAccounts = compiled((tx, slot: SlotOf<AccountsValues>, variant: AccountsVariant) =>
  tx.db
    .selectFrom('account_links')
    .leftJoin('bank_accounts', (join) =>
      join
        .onRef('bank_accounts.account_link_id', '=', 'account_links.id')
        .on(mayHaveLine(jobOfLine(slot)))
        .on(
          variant.endsWith('listed')
            ? sql<boolean>`bank_accounts.id in (
                select line.value ->> 'id' from ${tx.dialect.each(slot('accountIds'))})`
            : sql<boolean>`true`,
        ),
    )
    .leftJoin('jobs', (join) => join.on('jobs.seq', '=', jobOfLine(slot)))
    .where('account_links.organization_id', '=', slot('organizationId'))
    .where('account_links.provider', '=', slot('provider'))
    .where(sql<boolean>`account_links.status <> 'UNLINKED'`)
    .where(
      variant.startsWith('one')
        ? sql<boolean>`account_links.id = ${slot('accountLinkId')}`
        : sql<boolean>`true`,
    )
    .select('account_links.purpose')
    .select(['account_links.id as link_id', 'bank_accounts.id as account_id'])
    .select(['bank_accounts.masked_account_no', 'jobs.id as job_id', 'jobs.status as job_status'])
    .orderBy('account_links.seq', 'desc')
    .orderBy('bank_accounts.seq', 'desc'),
);

/** Those of these accounts that may have a line, with the job that the key created. */
const selectLines = compiled((tx, slot: SlotOf<CallKey & { readonly accountIds: string }>) =>
  tx.db
    .selectFrom('bank_accounts')
    .innerJoin('account_links', 'account_links.id', 'bank_accounts.account_link_id')
    .leftJoin('jobs', (join) => join.on('jobs.seq', '=', jobOfLine(slot)))
    .where(
      sql<boolean>`bank_accounts.id in (
        select line.value ->> 'id' from ${tx.dialect.each(slot('accountIds'))})`,
    )
    .where('account_links.organization_id', '=', slot('organizationId'))
    .where(sql<boolean>`account_links.status <> 'UNLINKED'`)
    .where(mayHaveLine(sql.ref('jobs.seq')))
    .select(['bank_accounts.id as account_id', 'jobs.id as job_id']),
);

function toAccount(row: {
  link_id: string;
  account_id: string | null;
  masked_account_no: string | null;
  job_id: string | null;
  job_status: JobState | null;
}): LineAccount[] {
  if (row.account_id === null) return [];
  return [
    {
      accountLinkId: row.link_id,
      id: row.account_id,
      maskedAccountNo: row.masked_account_no ?? '',
      job:
        row.job_id === null || row.job_status === null
          ? null
          : { id: row.job_id, status: row.job_status },
    },
  ];
}
