/// <reference lib="esnext.disposable" preserve="true" />
import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import { Caller, type WireRoute } from './caller.ts';
import { checkClientOptions } from './check-options.ts';
import { type ClientOptions, type RequestOptions, withEnvironment } from './client-options.ts';
import { ConfigurationError } from './errors/transport-errors.ts';
import { jsonText } from './json-text.ts';
import { type Reply, reply } from './request/reply.ts';
import { Account } from './resources/account.ts';
import { Admin } from './resources/admin.ts';
import { AppCredentials } from './resources/app-credentials.ts';
import { Artifacts } from './resources/artifacts.ts';
import { Audit } from './resources/audit.ts';
import { Billing } from './resources/billing.ts';
import { Credentials } from './resources/credentials.ts';
import { EncryptionKeys } from './resources/encryption-keys.ts';
import { Events } from './resources/events.ts';
import { Factors } from './resources/factors.ts';
import { Institutions } from './resources/institutions.ts';
import { Integrators } from './resources/integrators.ts';
import { Jobs } from './resources/jobs.ts';
import { Members } from './resources/members.ts';
import { Membership } from './resources/membership.ts';
import { OAuth } from './resources/oauth.ts';
import { Products } from './resources/products.ts';
import { Receipts } from './resources/receipts.ts';
import { System } from './resources/system.ts';
import { TaxPortal } from './resources/tax-portal.ts';
import { Webhooks } from './resources/webhooks.ts';
import { isBrowser } from './runtime.ts';
import type { SharedSending } from './shared-sending.ts';

/** A request in wire format. */
export interface WireRequest extends WireRoute {
  /** Arrays repeat their name. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** Any 2xx answer, with the names of the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Client of one Changgu service in one environment. Connections are pooled: create one and share it.
 * @example
 * const client = new Changgu({ baseUrl, clientId, clientSecret, envScope: 'sandbox' });
 * const { data } = await client.jobs.run({ action: 'bank_b.accounts.transaction_history.search', params: {} });
 * @throws ConfigurationError for invalid options, and in a page of a browser
 */
export class Changgu {
  readonly jobs: Jobs;
  readonly artifacts: Artifacts;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly receipts: Receipts;
  readonly account: Account;
  readonly integrators: Integrators;
  readonly appCredentials: AppCredentials;
  readonly oauth: OAuth;
  readonly credentials: Credentials;
  readonly factors: Factors;
  readonly members: Members;
  readonly membership: Membership;
  readonly encryptionKeys: EncryptionKeys;
  readonly institutions: Institutions;
  readonly products: Products;
  readonly billing: Billing;
  readonly taxPortal: TaxPortal;
  readonly audit: Audit;
  readonly admin: Admin;
  readonly system: System;
  readonly #options: ClientOptions;
  readonly #caller: Caller;

  constructor(options: ClientOptions = {}) {
    if (isBrowser()) {
      throw new ConfigurationError(
        'A client secret has no place in a browser. Encrypt there with @changgu/sdk/encrypt and call the service from a server.',
      );
    }
    const inherited = inheritedParts.get(options);
    const settings = inherited ? options : withEnvironment(options);
    checkClientOptions(settings);
    this.#options = settings;
    const caller = new Caller(settings, inherited);
    this.#caller = caller;

    this.jobs = new Jobs(caller);
    this.artifacts = new Artifacts(caller);
    this.events = new Events(caller);
    this.webhooks = new Webhooks(caller);
    this.receipts = new Receipts(caller);
    this.account = new Account(caller);
    this.integrators = new Integrators(caller);
    this.appCredentials = new AppCredentials(caller);
    this.oauth = new OAuth(caller);
    this.credentials = new Credentials(caller);
    this.factors = new Factors(caller);
    this.members = new Members(caller);
    this.membership = new Membership(caller);
    this.encryptionKeys = new EncryptionKeys(caller);
    this.institutions = new Institutions(caller);
    this.products = new Products(caller);
    this.billing = new Billing(caller);
    this.taxPortal = new TaxPortal(caller);
    this.audit = new Audit(caller);
    this.admin = new Admin(caller);
    this.system = new System(caller);
  }

  /**
   * Sends any request that has no method here: with the usual credentials, limits, retries and errors, and wire
   * names. Only a GET, or a request with a key, is retried after a failure.
   * @throws ConfigurationError for a path that does not begin with exactly one slash
   */
  request(request: WireRequest, options?: RequestOptions): Reply<WireAnswer> {
    const { method, path, as, query, body, idempotencyKey } = request;
    return reply(options, async (noted) => {
      // `//host` would be another origin, and braces a template.
      if (!/^\/(?!\/)[^?#{}\\]*$/.test(path)) {
        throw new ConfigurationError('path must begin with one slash and hold no query.');
      }
      const text = body === undefined ? undefined : jsonText(body, idempotencyKey);
      const { sender } = await this.#caller.sending();
      const route = { method, path, as };
      const answer = await sender.sendTo(route, { query, body: text, idempotencyKey }, noted);
      return { status: answer.status, body: answer.body };
    });
  }

  /**
   * The custom institutions that this service loads by CHANGGU_CONNECTORS, with their actions and JSON
   * Schemas, in the form in which `loadCatalogue()` of `@changgu/sdk/catalogue` returns the built-in ones; empty if there
   * are none. Needs no credentials.
   * @throws InvalidResponseError when they do not match the catalog's format
   * @see docs/specification/institutions.md#d149
   */
  ownInstitutions(options?: RequestOptions): Reply<readonly CatalogueInstitution[]> {
    return this.#caller.reply(options, (sending, noted) => sending.ownInstitutions(noted));
  }

  /**
   * A client with some options changed, for example a console token or another environment. It shares this client's
   * connections, retry budget and wait permits, and its encryption keys as long as both act for the same organization.
   * It keeps its credentials, including those from the environment: given ones are added, and `undefined` removes one. With both
   * kinds, calls of the job service are sent as the client, and calls of the console and of webhooks as the person, in
   * whatever order they were given. It keeps its environment unless another is given.
   */
  with(options: Omit<ClientOptions, 'fetch' | 'connection' | 'retryBudget'>): Changgu {
    const envScope = options.envScope ?? this.#options.envScope;
    const merged = { ...this.#options, ...options, envScope };
    inheritedParts.set(merged, this.#caller.shared);
    return new Changgu(merged);
  }

  /** Closes idle connections once the calls in progress have finished. */
  close(): Promise<void> {
    return this.#caller.shared.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** What a derived client takes over from its origin. */
const inheritedParts = new WeakMap<ClientOptions, SharedSending>();
