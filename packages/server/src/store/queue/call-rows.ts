import type { LinkPurpose, LinkStatus, LinkType } from '@changgu/contract/schemas';
import type { OwnerKind } from '../../rules/links/owner-kind.ts';
import { appendEvent, type NewEvent } from '../transactions/append-event.ts';
import { compiled, type SlotOf } from '../transactions/compiled.ts';
import { type RecordFields, records, recordType, toRecords } from '../transactions/records.ts';
import { batchedRead, type Transaction } from '../transactions/script.ts';

/** The parts of a link that a call needs; the credential is sealed. */
export interface LinkRow {
  readonly id: string;
  readonly status: LinkStatus;
  readonly suspendedCode: string | null;
  readonly authType: LinkType;
  readonly credential: Uint8Array | null;
  readonly revision: number;
  readonly purpose: LinkPurpose | null;
  readonly ownerKind: OwnerKind | null;
  readonly businessNumber: string | null;
  readonly selectedAssets: string | null;
}

export interface BankAccountRow {
  readonly id: string;
  readonly status: LinkStatus;
  readonly suspendedCode: string | null;
  readonly credential: Uint8Array | null;
  readonly revision: number;
  readonly maskedAccountNumber: string;
}

export interface CallRows {
  readonly link: LinkRow | null;
  readonly account: BankAccountRow | null;
}

/** A credential that an institution rejected or locked. A replacement made in the meantime stays active. */
export interface Suspension {
  readonly kind: 'link' | 'bank_account';
  readonly id: string;
  readonly code: string;
  /** Of the credential that was decrypted; sealing it anew or renewing tokens leaves it as it is. */
  readonly revision: number;
}

/** The names of what a call reads. */
interface CallQuery {
  readonly organizationId: number;
  readonly accountLinkId: string | null;
  readonly bankAccountCredentialId: string | null;
}

/** The link and bank account of a job that is about to run. */
export const callRowScripts = { readCallRows: batchedRead(readOne, readMany) };

async function readOne(tx: Transaction, query: CallQuery): Promise<CallRows> {
  const { organizationId, accountLinkId, bankAccountCredentialId } = query;
  const [link] = accountLinkId ? await selectLink(tx, { organizationId, id: accountLinkId }) : [];
  const [account] = bankAccountCredentialId
    ? await selectAccount(tx, { organizationId, id: bankAccountCredentialId })
    : [];
  return { link: link ?? null, account: account ?? null };
}

/** PostgreSQL only. */
async function readMany(tx: Transaction, queries: readonly CallQuery[]): Promise<CallRows[]> {
  const [links, accounts] = await Promise.all([
    readById(tx, selectLinks, queries, ({ accountLinkId }) => accountLinkId),
    readById(tx, selectAccounts, queries, (query) => query.bankAccountCredentialId),
  ]);
  return queries.map((_, n) => ({ link: links.get(n) ?? null, account: accounts.get(n) ?? null }));
}

/** The rows of those queries that name one, by the number of the query. */
async function readById<Row extends { readonly n: number }>(
  tx: Transaction,
  select: (tx: Transaction, values: { readonly keys: string }) => Row[] | Promise<Row[]>,
  queries: readonly CallQuery[],
  idOf: (query: CallQuery) => string | null,
): Promise<Map<number, Omit<Row, 'n'>>> {
  const keys = queries.flatMap((query, n) => {
    const id = idOf(query);
    return id === null ? [] : [[n, { organizationId: query.organizationId, key: id }] as const];
  });
  if (keys.length === 0) return new Map();
  const rows = await select(tx, { keys: toRecords(KEY_FIELDS, keys) });
  return new Map(rows.map(({ n, ...row }) => [n, row]));
}

/**
 * Lets later jobs on a credential fail at once, without contacting the institution, until it is replaced: retries
 * must never lock a bank account.
 */
export async function suspend(tx: Transaction, suspension: Suspension): Promise<void> {
  const { kind, id, code, revision } = suspension;
  if (kind === 'link') {
    const link = await tx.db
      .updateTable('account_links')
      .set({ status: 'SUSPENDED', suspended_code: code })
      .where('id', '=', id)
      .where('status', '=', 'ACTIVE')
      .where('revision', '=', revision)
      .returning(['id', 'organization_id', 'provider'])
      .executeTakeFirst();
    if (link) await appendEvent(tx, suspended(link, { code }));
    return;
  }
  const account = await tx.db
    .updateTable('bank_accounts')
    .set({ status: 'SUSPENDED', suspended_code: code })
    .where('id', '=', id)
    .where('status', '=', 'ACTIVE')
    .where('revision', '=', revision)
    .returning(['id', 'account_link_id', 'organization_id', 'provider'])
    .executeTakeFirst();
  if (account === undefined) return;
  const { account_link_id: linkId, ...bankAccount } = account;
  const subject = { bank_account_credential_id: account.id };
  await appendEvent(tx, { ...suspended({ ...bankAccount, id: linkId }, { code }), subject });
}

function suspended(
  link: { readonly id: string; readonly organization_id: number; readonly provider: string },
  { code }: Pick<Suspension, 'code'>,
): NewEvent {
  return {
    organizationId: link.organization_id,
    envScope: null,
    type: 'link.suspended',
    accountLinkId: link.id,
    data: { provider: link.provider, code },
  };
}

interface Key {
  readonly organizationId: number;
  readonly id: string;
}

const LINK_COLUMNS = [
  'id',
  'status',
  'suspended_code as suspendedCode',
  'auth_type as authType',
  'credential',
  'revision',
  'purpose',
  'owner_kind as ownerKind',
  'biz_number as businessNumber',
  'selected_assets as selectedAssets',
] as const;

const ACCOUNT_COLUMNS = [
  'id',
  'status',
  'suspended_code as suspendedCode',
  'credential',
  'revision',
  'masked_account_no as maskedAccountNumber',
] as const;

const selectLink = compiled((tx, slot: SlotOf<Key>) =>
  tx.db
    .selectFrom('account_links')
    .select(LINK_COLUMNS)
    .where('id', '=', slot('id'))
    .where('organization_id', '=', slot('organizationId')),
);

const selectAccount = compiled((tx, slot: SlotOf<Key>) =>
  tx.db
    .selectFrom('bank_accounts')
    .select(ACCOUNT_COLUMNS)
    .where('id', '=', slot('id'))
    .where('organization_id', '=', slot('organizationId')),
);

/** The names differ from those of the tables' columns, because a statement joins both. */
const KEY_FIELDS = { organizationId: 'integer', key: 'text' } as const satisfies RecordFields;

const keyed = (keys: string) => records<KeyLine>(keys).as<'line'>(recordType(KEY_FIELDS));

interface KeyLine {
  readonly n: number;
  readonly organizationId: number;
  readonly key: string;
}

const selectLinks = compiled((tx, slot: SlotOf<{ keys: string }>) =>
  tx.db
    .selectFrom(keyed(slot('keys')))
    .innerJoin('account_links', (join) =>
      join
        .onRef('account_links.id', '=', 'line.key')
        .onRef('account_links.organization_id', '=', 'line.organizationId'),
    )
    .select('line.n')
    .select(LINK_COLUMNS),
);

const selectAccounts = compiled((tx, slot: SlotOf<{ keys: string }>) =>
  tx.db
    .selectFrom(keyed(slot('keys')))
    .innerJoin('bank_accounts', (join) =>
      join
        .onRef('bank_accounts.id', '=', 'line.key')
        .onRef('bank_accounts.organization_id', '=', 'line.organizationId'),
    )
    .select('line.n')
    .select(ACCOUNT_COLUMNS),
);
