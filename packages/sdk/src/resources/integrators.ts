import type { Camel } from '@changgu/contract';
import type { Caller } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Reply } from '../request/reply.ts';

export interface IntegratorApplicationDetails extends Camel.IntegratorApplicationRequest {}
export interface IntegratorReissueDetails extends Camel.IntegratorReissueRequest {}
export interface IntegratorApplication extends Camel.IntegratorApplicationRecord {}
export interface IntegratorApplicationList extends Camel.IntegratorApplicationListResponse {}
export interface Handoff extends Camel.HandoffResponse {}

/**
 * Integrator applications of an organization. Needs a console token.
 * @see docs/specification/people-and-roles.md#d92
 */
export class Integrators {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Applies for an integrator key. Every application agrees to the terms. */
  apply(
    body: IntegratorApplicationDetails,
    options?: RequestOptions,
  ): Reply<IntegratorApplication> {
    return this.#caller.call('applyAsIntegrator', { body }, options);
  }

  /** Replaces a key: the old one is revoked at once, and the approval issues the new one. */
  reissue(body: IntegratorReissueDetails, options?: RequestOptions): Reply<IntegratorApplication> {
    return this.#caller.call('reissueIntegrator', { body }, options);
  }

  /** The applications of the organization, newest first. */
  list(options?: RequestOptions): Reply<IntegratorApplicationList> {
    return this.#caller.call('listIntegratorApplications', {}, options);
  }

  /** Creates the token that an installation exchanges for its key, once, within ten minutes. */
  mintHandoff(applicationId: number, options?: RequestOptions): Reply<Handoff> {
    return this.#caller.call('mintHandoff', { path: { applicationId } }, options);
  }
}
