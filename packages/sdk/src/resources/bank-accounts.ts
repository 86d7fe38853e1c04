import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface BankAccount extends Camel.BankAccountRecord {}
export interface BankAccountList extends Camel.BankAccountListResponse {}
export interface UnlinkedBankAccount extends Camel.BankAccountUnlinkResponse {}

/** Plain values; they are encrypted before they leave this process. */
export interface BankAccountSecrets {
  /** 8 to 16 digits. */
  readonly accountNo: string;
  /** 4 digits. */
  readonly accountPassword: string;
}

/**
 * Bank accounts of a link. Needs a console token, or a desktop_agent key.
 * @see docs/specification/links-and-credentials.md#d107
 */
export class BankAccounts {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Registers an account; the first one becomes the default. @throws ConflictError CONFLICT_DUPLICATE */
  link(
    accountLinkId: string,
    secrets: BankAccountSecrets,
    options?: RequestOptions,
  ): Reply<BankAccount> {
    return this.#caller.reply(options, async (sending, noted) => {
      const { values, left } = await sending.encryptedValues(noted, secrets);
      const { accountNo = '', accountPassword = '' } = values;
      const body = { accountNo, accountPassword };
      return this.#caller.call('linkBankAccount', { path: { accountLinkId }, body }, left);
    });
  }

  /** The accounts of a link, newest first. */
  list(accountLinkId: string, options?: RequestOptions): Reply<BankAccountList> {
    return this.#caller.call('listBankAccounts', { path: { accountLinkId } }, options);
  }

  /** One account of a link. @throws NotFoundError */
  get(
    accountLinkId: string,
    bankAccountCredentialId: string,
    options?: RequestOptions,
  ): Reply<BankAccount> {
    const path = { accountLinkId, bankAccountCredentialId };
    return this.#caller.call('readBankAccount', { path }, options);
  }

  /** Replaces the password; a suspended account becomes active. */
  updatePassword(
    accountLinkId: string,
    bankAccountCredentialId: string,
    accountPassword: string,
    options?: RequestOptions,
  ): Reply<BankAccount> {
    const path = { accountLinkId, bankAccountCredentialId };
    return this.#caller.reply(options, async (sending, noted) => {
      const { values, left } = await sending.encryptedValues(noted, { accountPassword });
      const body = { accountPassword: values.accountPassword ?? '' };
      return this.#caller.call('updateBankAccount', { path, body }, left);
    });
  }

  /** Makes this the account that is used when a request names none. */
  setDefault(
    accountLinkId: string,
    bankAccountCredentialId: string,
    options?: RequestOptions,
  ): Reply<BankAccount> {
    const path = { accountLinkId, bankAccountCredentialId };
    return this.#caller.call('setDefaultBankAccount', { path }, options);
  }

  /** Removes an account and wipes its stored data. */
  unlink(
    accountLinkId: string,
    bankAccountCredentialId: string,
    options?: RequestOptions,
  ): Reply<UnlinkedBankAccount> {
    const path = { accountLinkId, bankAccountCredentialId };
    return this.#caller.call('unlinkBankAccount', { path }, options);
  }
}
