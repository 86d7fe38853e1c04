import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface OAuthApproval extends Camel.OAuthApproveRequest {}
export interface OAuthGrant extends Camel.OAuthGrantRecord {}
export interface OAuthGrantList extends Camel.OAuthGrantListResponse {}
export interface OAuthInteraction extends Camel.OAuthInteractionResponse {}

/** People's approvals of OAuth clients. Needs a console or admin token. */
export class OAuth {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Approvals, newest first, including revoked ones. */
  list(options?: RequestOptions): Reply<OAuthGrantList> {
    return this.#caller.call('listOAuthGrants', {}, options);
  }

  /** Permanently ends all tokens of an approval, at once. Repeating it changes nothing. */
  revoke(grantId: string, options?: RequestOptions): Reply<OAuthGrant> {
    return this.#caller.call('revokeOAuthGrant', { path: { grantId } }, options);
  }

  /** Approves a client's request: for a consent page, which passes on its browser's cookie. */
  approve(uid: string, body: OAuthApproval, options?: RequestOptions): Reply<OAuthInteraction> {
    return this.#caller.call('approveOAuthInteraction', { path: { uid }, body }, options);
  }

  /** Denies a client's request. */
  deny(uid: string, options?: RequestOptions): Reply<OAuthInteraction> {
    return this.#caller.call('denyOAuthInteraction', { path: { uid } }, options);
  }
}
