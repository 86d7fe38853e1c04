import type { Camel } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';
import type { EnvAccess } from './account.ts';
import type { AuditEntry, AuditPage } from './audit.ts';
import type { IntegratorApplication } from './integrators.ts';

export interface Decision extends Camel.DecisionRequest {}
export interface AdminEnvAccessList extends Camel.AdminEnvAccessListResponse {}
export interface AdminIntegratorList extends Camel.AdminIntegratorListResponse {}
export interface SubscriptionDetails extends Camel.SubscriptionRequest {}
export interface Subscription extends Camel.SubscriptionRecord {}
export interface MemberDetails extends Camel.MemberRequest {}
export interface Member extends Camel.MemberRecord {}
export interface LegacyApiKeyDetails extends Camel.LegacyApiKeyIssueRequest {}
export interface IssuedLegacyApiKey extends Camel.LegacyApiKeyIssueResponse {}
export interface RotatedLegacyApiKey extends Camel.LegacyApiKeyRotateResponse {}
export interface LegacyApiKeyRotation extends Camel.LegacyApiKeyRotateRequest {}
export interface LegacyApiKeyList extends Camel.LegacyApiKeyListResponse {}
export interface LegacyApiKey extends Camel.LegacyApiKeyRecord {}
export interface Organization extends Camel.OrganizationRecord {}
export interface OrganizationPage extends Camel.OrganizationListResponse {}
export type OrganizationQuery = NonNullable<OperationInput<'listOrganizations'>['query']>;
export interface ServiceState extends Camel.ServiceStateResponse {}
export interface Simulator extends Camel.SimulatorRecord {}
export interface SimulatorList extends Camel.SimulatorListResponse {}
export interface SimulatorStateDetails extends Camel.SimulatorStateRequest {}
export type AuditQuery = NonNullable<OperationInput<'listAudit'>['query']>;

/** Administration of the whole service. Needs an admin token. */
export class Admin {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The last 100 environment-access requests of all organizations; pending ones oldest first. */
  listEnvAccess(
    query: NonNullable<OperationInput<'listEnvAccessForAdmin'>['query']> = {},
    options?: RequestOptions,
  ): Reply<AdminEnvAccessList> {
    return this.#caller.call('listEnvAccessForAdmin', { query }, options);
  }

  decideEnvAccess(requestId: number, body: Decision, options?: RequestOptions): Reply<EnvAccess> {
    return this.#caller.call('decideEnvAccess', { path: { requestId }, body }, options);
  }

  /** The last 100 integrator applications of all organizations; undecided ones oldest first. */
  listIntegratorApplications(
    query: NonNullable<OperationInput<'listIntegratorApplicationsForAdmin'>['query']> = {},
    options?: RequestOptions,
  ): Reply<AdminIntegratorList> {
    return this.#caller.call('listIntegratorApplicationsForAdmin', { query }, options);
  }

  decideIntegratorApplication(
    applicationId: number,
    body: Decision,
    options?: RequestOptions,
  ): Reply<IntegratorApplication> {
    const input = { path: { applicationId }, body };
    return this.#caller.call('decideIntegratorApplication', input, options);
  }

  /** One page of all organizations, newest first. */
  listOrganizations(
    query: OrganizationQuery = {},
    options?: RequestOptions,
  ): Reply<OrganizationPage> {
    return this.#caller.call('listOrganizations', { query }, options);
  }

  /** All organizations, newest first, page by page. */
  eachOrganization(
    query: OrganizationQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<Organization, void, void> {
    return eachItem((place) => this.listOrganizations({ ...query, ...place }, options));
  }

  /** Queued and running work at each institution, and the state of its circuit breaker. */
  serviceState(options?: RequestOptions): Reply<ServiceState> {
    return this.#caller.call('readServiceState', {}, options);
  }

  /** The simulated institutions of a dev server. @throws NotFoundError elsewhere */
  listSimulators(options?: RequestOptions): Reply<SimulatorList> {
    return this.#caller.call('listSimulators', {}, options);
  }

  /** Makes a simulated institution of a dev server answer, fail or be unreachable. @throws NotFoundError elsewhere */
  setSimulatorState(
    provider: string,
    body: SimulatorStateDetails,
    options?: RequestOptions,
  ): Reply<Simulator> {
    return this.#caller.call('setSimulatorState', { path: { provider }, body }, options);
  }

  /** Subscribes an organization to a plan, moves its subscription to another state, or renews it when it is active. */
  setSubscription(
    organizationId: number,
    body: SubscriptionDetails,
    options?: RequestOptions,
  ): Reply<Subscription> {
    return this.#caller.call('setSubscription', { path: { organizationId }, body }, options);
  }

  /** Adds a registered user to an organization, or changes the role. */
  addMember(organizationId: number, body: MemberDetails, options?: RequestOptions): Reply<Member> {
    return this.#caller.call('addMember', { path: { organizationId }, body }, options);
  }

  /** Issues an x-api-key for one organization and one environment. It is shown only once. */
  issueLegacyApiKey(
    body: LegacyApiKeyDetails,
    options?: RequestOptions,
  ): Reply<IssuedLegacyApiKey> {
    return this.#caller.call('issueLegacyApiKey', { body }, options);
  }

  listLegacyApiKeys(organizationId: number, options?: RequestOptions): Reply<LegacyApiKeyList> {
    return this.#caller.call('listLegacyApiKeys', { query: { organizationId } }, options);
  }

  /** Replaces an x-api-key. It is shown only once; the old one still works for `overlapHours`. */
  rotateLegacyApiKey(
    keyId: string,
    body: LegacyApiKeyRotation = {},
    options?: RequestOptions,
  ): Reply<RotatedLegacyApiKey> {
    return this.#caller.call('rotateLegacyApiKey', { path: { keyId }, body }, options);
  }

  revokeLegacyApiKey(keyId: string, options?: RequestOptions): Reply<LegacyApiKey> {
    return this.#caller.call('revokeLegacyApiKey', { path: { keyId } }, options);
  }

  /** One page of the audit log, newest first. */
  listAudit(query: AuditQuery = {}, options?: RequestOptions): Reply<AuditPage> {
    return this.#caller.call('listAudit', { query }, options);
  }

  /** The whole audit log, newest first, page by page. */
  eachAudit(
    query: AuditQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<AuditEntry, void, void> {
    return eachItem((place) => this.listAudit({ ...query, ...place }, options));
  }
}
