import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface AppCredentialDetails extends Camel.AppCredentialIssueRequest {}
export interface IssuedAppCredential extends Camel.AppCredentialIssueResponse {}
export interface AppCredentialList extends Camel.AppCredentialListResponse {}
export interface AppCredentialRevocation extends Camel.AppCredentialRevokeRequest {}
export interface AppCredentialRotation extends Camel.AppCredentialRotateRequest {}
export interface RotatedAppCredential extends Camel.AppCredentialRotateResponse {}
export interface RevokedAppCredential extends Camel.AppCredentialRevokeResponse {}

/** Client ids and secrets. Needs a console or admin token. */
export class AppCredentials {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Issues a key. Its secret is shown only once. @throws PermissionError POLICY_PAID_REQUIRED, POLICY_ENV_NOT_APPROVED */
  issue(body: AppCredentialDetails, options?: RequestOptions): Reply<IssuedAppCredential> {
    return this.#caller.call('issueAppCredential', { body }, options);
  }

  /** The keys of the organization, newest first, without secrets. */
  list(options?: RequestOptions): Reply<AppCredentialList> {
    return this.#caller.call('listAppCredentials', {}, options);
  }

  /** Replaces the secret, which is shown only once; the old one keeps working for `overlapHours` (default 24). */
  rotate(
    clientId: string,
    body: AppCredentialRotation = {},
    options?: RequestOptions,
  ): Reply<RotatedAppCredential> {
    return this.#caller.call('rotateAppCredential', { path: { clientId }, body }, options);
  }

  /** Permanently revokes a key, at once. Repeating it changes nothing. */
  revoke(
    clientId: string,
    body: AppCredentialRevocation = {},
    options?: RequestOptions,
  ): Reply<RevokedAppCredential> {
    return this.#caller.call('revokeAppCredential', { path: { clientId }, body }, options);
  }
}
