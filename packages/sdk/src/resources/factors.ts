import type {
  FactorAddRequest,
  FactorAddResponse,
  FactorConfirmRequest,
  FactorListResponse,
  FactorProofRequest,
  FactorRemoveResponse,
  RecoveryCodesResponse,
} from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Camelized } from '../wire-case.ts';

export interface FactorList extends Camelized<FactorListResponse> {}
export interface NewFactor extends Camelized<FactorAddRequest> {}
export interface FactorBegun extends Camelized<FactorAddResponse> {}
export interface FactorConfirmation extends Camelized<FactorConfirmRequest> {}
export interface FactorProof extends Camelized<FactorProofRequest> {}
export interface FactorRemoved extends Camelized<FactorRemoveResponse> {}
export interface RecoveryCodes extends Camelized<RecoveryCodesResponse> {}

/** The second factors of the user. */
export class Factors {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  list(options?: RequestOptions): Promise<FactorList> {
    return this.#caller.call('listFactors', {}, options);
  }

  /** Begins to add one: show `otpauthUrl` as a QR code, then confirm with a code of the app. */
  add(body: NewFactor, options?: RequestOptions): Promise<FactorBegun> {
    return this.#caller.call('addFactor', { body }, options);
  }

  /** Answers the recovery codes, which are shown only here. Every other session ends. */
  confirm(
    factorId: string,
    body: FactorConfirmation,
    options?: RequestOptions,
  ): Promise<RecoveryCodes> {
    return this.#caller.call('confirmFactor', { path: { factorId }, body }, options);
  }

  /** Ends every session, this one included. */
  remove(factorId: string, body: FactorProof, options?: RequestOptions): Promise<FactorRemoved> {
    return this.#caller.call('removeFactor', { path: { factorId }, body }, options);
  }

  /** Replaces the recovery codes. */
  renewRecoveryCodes(body: FactorProof, options?: RequestOptions): Promise<RecoveryCodes> {
    return this.#caller.call('renewRecoveryCodes', { body }, options);
  }
}
