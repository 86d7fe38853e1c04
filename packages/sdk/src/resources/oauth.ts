import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface OAuthApproval extends Camel.OAuthApproveRequest {}
export interface OAuthGrant extends Camel.OAuthGrantRecord {}
export interface OAuthGrantList extends Camel.OAuthGrantListResponse {}
export interface OAuthInteraction extends Camel.OAuthInteractionResponse {}

/** What people approved for OAuth clients. Needs a console or admin token. */
export class OAuth {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** What was approved, newest first, revoked grants too. */
  list(options?: RequestOptions): Reply<OAuthGrantList> {
    return this.#caller.call('listOAuthGrants', {}, options);
  }

  /** Permanently ends all tokens of a grant, at once. Repeating it changes nothing. */
  revoke(grantId: string, options?: RequestOptions): Reply<OAuthGrant> {
    return this.#caller.call('revokeOAuthGrant', { path: { grantId } }, options);
  }

  /** Approves what a client asks for: for a consent page, which passes the cookie of its browser on. */
  approve(uid: string, body: OAuthApproval, options?: RequestOptions): Reply<OAuthInteraction> {
    return this.#caller.call('approveOAuthInteraction', { path: { uid }, body }, options);
  }

  /** Denies what a client asks for. */
  deny(uid: string, options?: RequestOptions): Reply<OAuthInteraction> {
    return this.#caller.call('denyOAuthInteraction', { path: { uid } }, options);
  }
}
