import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface FactorList extends Camel.FactorListResponse {}
export interface NewFactor extends Camel.FactorAddRequest {}
export interface FactorBegun extends Camel.FactorAddResponse {}
export interface FactorConfirmation extends Camel.FactorConfirmRequest {}
export interface FactorProof extends Camel.FactorProofRequest {}
export interface FactorRemoved extends Camel.FactorRemoveResponse {}
export interface Factor extends Camel.FactorRecord {}
export interface FactorName extends Camel.FactorRenameRequest {}
export interface PasskeyBeginning extends Camel.PasskeyBeginRequest {}
export interface PasskeyAttempt extends Camel.PasskeyOptions {}
export interface NewPasskey extends Camel.PasskeyAddRequest {}
export interface PasskeyAdded extends Camel.PasskeyAddResponse {}
export interface RecoveryCodes extends Camel.RecoveryCodesResponse {}

/** The second factors of the user. */
export class Factors {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  list(options?: RequestOptions): Reply<FactorList> {
    return this.#caller.call('listFactors', {}, options);
  }

  /** Begins adding an app: show `otpauthUrl` as a QR code, then confirm with a code of the app. */
  add(body: NewFactor, options?: RequestOptions): Reply<FactorBegun> {
    return this.#caller.call('addFactor', { body }, options);
  }

  /** Returns the recovery codes, which are shown only here. Every other session ends. */
  confirm(
    factorId: string,
    body: FactorConfirmation,
    options?: RequestOptions,
  ): Reply<RecoveryCodes> {
    return this.#caller.call('confirmFactor', { path: { factorId }, body }, options);
  }

  /** Begins adding a passkey: `publicKey` is for `navigator.credentials.create` in the person's browser. */
  beginPasskey(body: PasskeyBeginning, options?: RequestOptions): Reply<PasskeyAttempt> {
    return this.#caller.call('beginPasskey', { body }, options);
  }

  /** Adds the browser's answer. Every other session ends; the first factor comes with recovery codes. */
  addPasskey(body: NewPasskey, options?: RequestOptions): Reply<PasskeyAdded> {
    return this.#caller.call('addPasskey', { body }, options);
  }

  rename(factorId: string, body: FactorName, options?: RequestOptions): Reply<Factor> {
    return this.#caller.call('renameFactor', { path: { factorId }, body }, options);
  }

  /** Ends every session, including this one. */
  remove(factorId: string, body: FactorProof, options?: RequestOptions): Reply<FactorRemoved> {
    return this.#caller.call('removeFactor', { path: { factorId }, body }, options);
  }

  /** Replaces the recovery codes. */
  renewRecoveryCodes(body: FactorProof, options?: RequestOptions): Reply<RecoveryCodes> {
    return this.#caller.call('renewRecoveryCodes', { body }, options);
  }
}
