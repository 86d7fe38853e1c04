import type { AuditAct } from '@changgu/contract';
import type { BankAccountStatus } from '@changgu/contract/schemas';
import type { Selectable } from 'kysely';
import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { COLUMNS } from '../schema/columns.ts';
import type { Database } from '../schema/tables.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, type Transaction, write } from '../transactions/script.ts';

/** A bank account as its owner sees it. */
export interface BankAccount {
  readonly id: string;
  readonly maskedAccountNo: string;
  readonly status: BankAccountStatus;
  readonly isDefault: boolean;
  readonly registeredAt: number;
}

/** The link and the organization. */
export interface LinkRef {
  readonly organizationId: number;
  readonly accountLinkId: string;
}

interface AccountRef extends LinkRef {
  readonly id: string;
}

interface NewBankAccount extends AccountRef {
  readonly identity: string;
  readonly maskedAccountNo: string;
  /** Sealed. */
  readonly credential: Uint8Array;
  readonly actor: Actor;
}

export const bankAccountScripts = {
  /** The first account of a link becomes its default. @throws ServiceError 404, CONFLICT_DUPLICATE */
  add: write(async (tx, input: NewBankAccount): Promise<BankAccount> => {
    const link = await lockLink(tx, input);
    const inForce = await tx.db
      .selectFrom('bank_accounts')
      .select(['identity', 'is_default'])
      .where('account_link_id', '=', input.accountLinkId)
      .where('status', '<>', 'UNLINKED')
      .execute();
    if (inForce.some(({ identity }) => identity === input.identity)) {
      throw new ServiceError('CONFLICT_DUPLICATE');
    }
    const row = await tx.db
      .insertInto('bank_accounts')
      .values({
        id: input.id,
        account_link_id: input.accountLinkId,
        organization_id: input.organizationId,
        provider: link.provider,
        masked_account_no: input.maskedAccountNo,
        status: 'ACTIVE',
        is_default: inForce.some(({ is_default }) => is_default === 1) ? 0 : 1,
        registered_at: tx.clock,
        identity: input.identity,
        credential: input.credential,
      })
      .returning(COLUMNS.bank_accounts)
      .executeTakeFirstOrThrow();
    await recordAct(tx, input.actor, actOn(input, 'bank_account.link'));
    return accountOf(row);
  }),

  /** Active accounts, newest first. @throws ServiceError 404 */
  list: read(async (tx, ref: LinkRef): Promise<BankAccount[]> => {
    await requireBankLink(tx, ref);
    const rows = await tx.db
      .selectFrom('bank_accounts')
      .select(COLUMNS.bank_accounts)
      .where('account_link_id', '=', ref.accountLinkId)
      .where('status', '<>', 'UNLINKED')
      .orderBy('seq', 'desc')
      .execute();
    return rows.map(accountOf);
  }),

  /** @throws ServiceError 404 */
  find: read(async (tx, ref: AccountRef): Promise<BankAccount & { credential: Uint8Array }> => {
    await requireBankLink(tx, ref);
    const row = await requireAccount(tx, ref);
    if (row.credential === null) throw new ServiceError('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
    return { ...accountOf(row), credential: row.credential };
  }),

  /** A new credential lifts a suspension. @throws ServiceError 404 */
  replaceCredential: write(
    async (
      tx,
      input: AccountRef & { readonly credential: Uint8Array; readonly actor: Actor },
    ): Promise<BankAccount> => {
      await lockLink(tx, input);
      const row = await tx.db
        .updateTable('bank_accounts')
        .set((eb) => ({
          credential: input.credential,
          revision: eb('revision', '+', 1),
          status: 'ACTIVE',
          suspended_code: null,
        }))
        .where('id', '=', (await requireAccount(tx, input)).id)
        .returning(COLUMNS.bank_accounts)
        .executeTakeFirstOrThrow();
      await recordAct(tx, input.actor, actOn(input, 'bank_account.replace'));
      return accountOf(row);
    },
  ),

  /** The oldest remaining account becomes the default. A repeat changes nothing. @throws ServiceError 404 */
  unlink: write(async (tx, input: AccountRef & { readonly actor: Actor }): Promise<void> => {
    await lockLink(tx, input);
    const row = await accountOfLink(tx, input);
    if (row?.status === 'UNLINKED') return;
    if (row === undefined) throw new ServiceError('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
    await tx.db
      .updateTable('bank_accounts')
      .set(wipedAccount(tx))
      .where('id', '=', row.id)
      .execute();
    if (row.is_default === 1) await promoteOldest(tx, input.accountLinkId);
    await recordAct(tx, input.actor, actOn(input, 'bank_account.unlink'));
  }),

  /** @throws ServiceError 404 */
  setDefault: write(
    async (tx, input: AccountRef & { readonly actor: Actor }): Promise<BankAccount> => {
      await lockLink(tx, input);
      const { id } = await requireAccount(tx, input);
      await tx.db
        .updateTable('bank_accounts')
        .set({ is_default: 0 })
        .where('account_link_id', '=', input.accountLinkId)
        .where('is_default', '=', 1)
        .execute();
      const row = await tx.db
        .updateTable('bank_accounts')
        .set({ is_default: 1 })
        .where('id', '=', id)
        .returning(COLUMNS.bank_accounts)
        .executeTakeFirstOrThrow();
      await recordAct(tx, input.actor, actOn(input, 'bank_account.set_default'));
      return accountOf(row);
    },
  ),
};

type Row = Selectable<Database['bank_accounts']>;

async function lockLink(tx: Transaction, ref: LinkRef): Promise<{ provider: string }> {
  await tx.dialect.lock(tx, `account-links:${ref.organizationId}`);
  return requireBankLink(tx, ref);
}

/** A link in force. @throws ServiceError BANK_ACCOUNT_PARENT_NOT_FOUND */
async function requireBankLink(tx: Transaction, ref: LinkRef): Promise<{ provider: string }> {
  const link = await tx.db
    .selectFrom('account_links')
    .select('provider')
    .where('id', '=', ref.accountLinkId)
    .where('organization_id', '=', ref.organizationId)
    .where('status', '<>', 'UNLINKED')
    .executeTakeFirst();
  if (link === undefined) throw new ServiceError('BANK_ACCOUNT_PARENT_NOT_FOUND');
  return link;
}

/** An account in force of this link. @throws ServiceError BANK_ACCOUNT_CREDENTIAL_NOT_FOUND */
async function requireAccount(tx: Transaction, ref: AccountRef): Promise<Row> {
  const row = await accountOfLink(tx, ref);
  if (row === undefined || row.status === 'UNLINKED') {
    throw new ServiceError('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
  }
  return row;
}

/** Also one that is unlinked by now. */
async function accountOfLink(tx: Transaction, ref: AccountRef): Promise<Row | undefined> {
  return tx.db
    .selectFrom('bank_accounts')
    .select(COLUMNS.bank_accounts)
    .where('id', '=', ref.id)
    .where('account_link_id', '=', ref.accountLinkId)
    .where('organization_id', '=', ref.organizationId)
    .executeTakeFirst();
}

async function promoteOldest(tx: Transaction, accountLinkId: string): Promise<void> {
  await tx.db
    .updateTable('bank_accounts')
    .set({ is_default: 1 })
    .where('seq', '=', (eb) =>
      eb
        .selectFrom('bank_accounts')
        .select('seq')
        .where('account_link_id', '=', accountLinkId)
        .where('status', '<>', 'UNLINKED')
        .orderBy('seq')
        .limit(1),
    )
    .execute();
}

function actOn({ organizationId, id, accountLinkId }: AccountRef, act: AuditAct) {
  return { organizationId, act, target: id, details: { account_link_id: accountLinkId } };
}

function accountOf(row: Row): BankAccount {
  return {
    id: row.id,
    maskedAccountNo: row.masked_account_no,
    status: row.status,
    isDefault: row.is_default === 1,
    registeredAt: row.registered_at,
  };
}

/** The row stays, so that references to it work, but without any data of the account. */
export function wipedAccount(tx: Transaction) {
  return {
    status: 'UNLINKED' as const,
    suspended_code: null,
    unlinked_at: tx.clock,
    is_default: 0 as const,
    identity: null,
    credential: null,
  };
}
