import { randomUUID } from 'node:crypto';
import type {
  BankAccountLinkRequest,
  BankAccountListResponse,
  BankAccountRecord,
  BankAccountUnlinkResponse,
  BankAccountUpdateRequest,
} from '@changgu/contract/schemas';
import type { Vault } from '../crypto/vault.ts';
import {
  isAccountPassword,
  maskAccountNumber,
  toAccountNumber,
} from '../rules/identity/account-number.ts';
import { kstTime } from '../rules/kst.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { actorOf } from '../rules/principals/actor.ts';
import { type FieldViolation, invalidShape, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { BankAccount } from '../store/links/bank-accounts.ts';
import { decryptTexts, fieldReader, type ReaderDependencies } from './decrypt-values.ts';
import type { Identities } from './identity.ts';
import type { InstitutionFacts, Linker } from './linker.ts';
import { openBankAccount, type StoredBankAccount, sealBankAccount } from './stored-credential.ts';

type AccountStore = Pick<Store, 'bankAccounts' | 'accountLinks'>;

export interface BankAccountDependencies extends ReaderDependencies {
  readonly store: AccountStore;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly identities: Identities;
  readonly institutions: readonly InstitutionFacts[];
}

/** Which account of which link, and who asks. */
export interface AccountTarget extends Linker {
  readonly accountLinkId: string;
}

/**
 * Registers a bank account on a link.
 * @throws ServiceError BANK_ACCOUNT_PARENT_NOT_FOUND, CONFLICT_DUPLICATE, CREDENTIAL_INVALID, 422
 */
export async function linkBankAccount(
  dependencies: BankAccountDependencies,
  { principal, origin, accountLinkId }: AccountTarget,
  { account_no, account_password }: BankAccountLinkRequest,
): Promise<BankAccountRecord> {
  const { organizationId } = principal;
  await assertBankLink(dependencies, organizationId, accountLinkId);
  const sent = await decryptTexts(fieldReader(dependencies, organizationId, accountLinkId), {
    account_no,
    account_password,
  });
  const account = readAccount(sent.account_no, sent.account_password);
  const actor = actorOf(principal, origin);
  return toRecord(
    await registerBankAccount(dependencies, { organizationId, accountLinkId, account, actor }),
  );
}

/** Keeps a bank account of a link. @throws ServiceError BANK_ACCOUNT_PARENT_NOT_FOUND, CONFLICT_DUPLICATE */
export async function registerBankAccount(
  { store, vault, identities }: Pick<BankAccountDependencies, 'store' | 'vault' | 'identities'>,
  registration: {
    readonly organizationId: number;
    readonly accountLinkId: string;
    readonly account: StoredBankAccount;
    readonly actor: Actor;
  },
): Promise<BankAccount> {
  const { account, ...owner } = registration;
  const id = randomUUID();
  const identity = { kind: 'account', parts: [account.accountNumber] } as const;
  return store.bankAccounts.add({
    ...owner,
    id,
    identity: await identities.hash(owner.organizationId, identity),
    maskedAccountNo: maskAccountNumber(account.accountNumber),
    credential: await sealBankAccount(vault, owner.organizationId, id, account),
  });
}

/** @throws ServiceError BANK_ACCOUNT_PARENT_NOT_FOUND */
export async function listBankAccounts(
  { bankAccounts }: AccountStore,
  organizationId: number,
  accountLinkId: string,
): Promise<BankAccountListResponse> {
  return { items: (await bankAccounts.list({ organizationId, accountLinkId })).map(toRecord) };
}

/** @throws ServiceError BANK_ACCOUNT_PARENT_NOT_FOUND, BANK_ACCOUNT_CREDENTIAL_NOT_FOUND */
export async function readBankAccount(
  { bankAccounts }: AccountStore,
  organizationId: number,
  accountLinkId: string,
  id: string,
): Promise<BankAccountRecord> {
  return toRecord(await bankAccounts.find({ organizationId, accountLinkId, id }));
}

/** Replaces the password; lifts a suspension. @throws ServiceError 404, 422 */
export async function updateBankAccount(
  dependencies: BankAccountDependencies,
  { principal, origin, accountLinkId }: AccountTarget,
  id: string,
  { account_password }: BankAccountUpdateRequest,
): Promise<BankAccountRecord> {
  const { store, vault } = dependencies;
  const { organizationId } = principal;
  const ref = { organizationId, accountLinkId, id };
  const found = await store.bankAccounts.find(ref);
  const sent = await decryptTexts(fieldReader(dependencies, organizationId, accountLinkId), {
    account_password,
  });
  const { accountNumber } = await openBankAccount(vault, organizationId, id, found.credential);
  const account = readAccount(accountNumber, sent.account_password);
  const credential = await sealBankAccount(vault, organizationId, id, account);
  const actor = actorOf(principal, origin);
  return toRecord(await store.bankAccounts.replaceCredential({ ...ref, credential, actor }));
}

/** @throws ServiceError 404 */
export async function unlinkBankAccount(
  { bankAccounts }: AccountStore,
  { principal, origin, accountLinkId }: AccountTarget,
  id: string,
): Promise<BankAccountUnlinkResponse> {
  const { organizationId } = principal;
  const actor = actorOf(principal, origin);
  await bankAccounts.unlink({ organizationId, accountLinkId, id, actor });
  return { bank_account_credential_id: id, status: 'UNLINKED' };
}

/** @throws ServiceError 404 */
export async function setDefaultBankAccount(
  { bankAccounts }: AccountStore,
  { principal, origin, accountLinkId }: AccountTarget,
  id: string,
): Promise<BankAccountRecord> {
  const { organizationId } = principal;
  const actor = actorOf(principal, origin);
  return toRecord(await bankAccounts.setDefault({ organizationId, accountLinkId, id, actor }));
}

/** Only banks have accounts; any other link cannot be their parent. */
async function assertBankLink(
  { store, institutions }: BankAccountDependencies,
  organizationId: number,
  id: string,
): Promise<void> {
  const link = await store.accountLinks.find({ id, organizationId }).catch(asMissingParent);
  const isBank = institutions.some(
    ({ provider, kind }) => provider === link.provider && kind === 'bank',
  );
  if (!isBank || link.status === 'UNLINKED') {
    throw new ServiceError('BANK_ACCOUNT_PARENT_NOT_FOUND');
  }
}

function asMissingParent(failure: unknown): never {
  const missing = failure instanceof ServiceError && failure.code === 'ACCOUNT_LINK_NOT_FOUND';
  throw missing ? new ServiceError('BANK_ACCOUNT_PARENT_NOT_FOUND') : failure;
}

function readAccount(number: string, accountPassword: string) {
  const violations: FieldViolation[] = [];
  const accountNumber = toAccountNumber(number);
  const refuse = (name: string, msg: string) =>
    violations.push({ loc: ['body', name], msg, type: 'string_pattern_mismatch' });
  if (accountNumber === null) refuse('account_no', 'The decrypted value should be 8 to 16 digits');
  if (!isAccountPassword(accountPassword)) {
    refuse('account_password', 'The decrypted value should be 4 digits');
  }
  if (accountNumber === null || violations.length > 0) throw invalidShape(violations);
  return { accountNumber, accountPassword };
}

function toRecord(account: BankAccount): BankAccountRecord {
  return {
    bank_account_credential_id: account.id,
    masked_account_no: account.maskedAccountNo,
    status: account.status,
    is_default: account.isDefault,
    registered_at: kstTime(account.registeredAt),
  };
}
