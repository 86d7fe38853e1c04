import type { Camel } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { EncryptionError } from '../errors/local-errors.ts';
import { CONSENT_RETURN, operationUrl } from '../operations/operation-url.ts';
import type { Reply } from '../request/reply.ts';
import { snakeRecord } from '../wire-case.ts';
import { BankAccounts } from './bank-accounts.ts';

const LINK_SECRETS = [
  'certData',
  'keyData',
  'pkcs12Data',
  'encryptedPw',
  'randomEnc',
  'loginId',
  'loginPassword',
] as const;
/** The fields of a link request that are sent encrypted. */
export type LinkSecretName = (typeof LINK_SECRETS)[number];

export interface LinkDetails extends Omit<Camel.LinkRequest, LinkSecretName> {
  /** Plain values, encrypted before they leave this process. Files as bytes. */
  secrets?: { readonly [Name in LinkSecretName]?: string | Uint8Array | undefined };
  /** Values encrypted elsewhere, for example by a page with `@changgu/sdk/encrypt`. */
  encryptedFields?: { readonly [Name in LinkSecretName]?: string | undefined };
}
export type LinkedCredential = Camel.LinkResponse | Camel.RelinkResponse;
export interface AccountLink extends Camel.AccountLinkRecord {}
export interface AccountLinkList extends Camel.AccountLinkListResponse {}
export interface ConsentUrlDetails extends Camel.ConsentUrlRequest {}
export interface ConsentUrl extends Camel.ConsentUrlResponse {}
export interface SelectedAssets extends Camel.SelectedAssetsResponse {}
export interface UnlinkDetails extends Camel.UnlinkRequest {}
export interface UnlinkedCredential extends Camel.UnlinkResponse {}
export type ConsentReturnQuery = NonNullable<OperationInput<'consentReturn'>['query']>;

/** Links: the certificates, logins and consents for institutions. */
export class Credentials {
  /** Bank accounts of a link. */
  readonly bankAccounts: BankAccounts;
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.bankAccounts = new BankAccounts(caller);
  }

  /**
   * Registers exactly one of: a certificate (certData, keyData, encryptedPw, or pkcs12Data, encryptedPw), a login
   * (loginId, loginPassword), or a consent (authorizationCode, state). The same identity again answers with `changed`.
   * @throws EncryptionError for a plain value outside `secrets`; ValidationError CREDENTIAL_INVALID; ConflictError CREDENTIAL_CONFIRM_REQUIRED
   */
  link(details: LinkDetails, options?: RequestOptions): Reply<LinkedCredential> {
    return this.#caller.reply(options, async (sending, noted) => {
      const { secrets, encryptedFields, ...rest } = details;
      const misplaced = LINK_SECRETS.find((name) => name in rest);
      if (misplaced) {
        throw new EncryptionError(
          `${misplaced} belongs under secrets, or under encryptedFields when it is encrypted.`,
        );
      }
      const { values, left } = await sending.encryptedValues(noted, secrets, encryptedFields);
      return this.#caller.call('linkCredential', { body: { ...rest, ...values } }, left);
    });
  }

  /** Active links, newest first. */
  list(query: { provider?: string } = {}, options?: RequestOptions): Reply<AccountLinkList> {
    return this.#caller.call('listAccountLinks', { query }, options);
  }

  /** One link, even after it was unlinked. */
  get(accountLinkId: string, options?: RequestOptions): Reply<AccountLink> {
    return this.#caller.call('readAccountLink', { path: { accountLinkId } }, options);
  }

  /** Starts an institution's consent flow: returns the address where the person consents, within ten minutes. */
  consentUrl(body: ConsentUrlDetails, options?: RequestOptions): Reply<ConsentUrl> {
    return this.#caller.call('createConsentUrl', { body }, options);
  }

  /** The address to which the browser returns; it shows code and state for copying. Sends nothing. */
  consentReturnUrl(query: ConsentReturnQuery = {}): string {
    return operationUrl(this.#caller.baseUrl, CONSENT_RETURN, {}, snakeRecord(query));
  }

  /** Replaces a link's whole selection; null clears it. */
  selectAssets(
    accountLinkId: string,
    selectedAssets: Record<string, unknown> | null,
    options?: RequestOptions,
  ): Reply<SelectedAssets> {
    return this.#caller.call(
      'selectAssets',
      { path: { accountLinkId }, body: { selectedAssets } },
      options,
    );
  }

  /** Unlinks: wipes the credential and cancels the jobs waiting for it. Repeating it changes nothing. */
  unlink(
    accountLinkId: string,
    body: UnlinkDetails = {},
    options?: RequestOptions,
  ): Reply<UnlinkedCredential> {
    return this.#caller.call('unlinkCredential', { path: { accountLinkId }, body }, options);
  }
}
