import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import { platformEncryptor } from '#platform';
import { Caller, type WireRoute } from './caller.ts';
import { checkClientOptions } from './check-options.ts';
import {
  type ClientOptions,
  type RequestOptions,
  resolveBaseUrl,
  resolveEnvScope,
  withEnvironment,
} from './client-options.ts';
import { ClientCredentials } from './credentials-of-client.ts';
import { encryptFields } from './encryption/encrypt-fields.ts';
import type { Encryptor } from './encryption/encryptor.ts';
import { type FetchedKeys, KeyCache } from './encryption/key-cache.ts';
import { withFacts } from './errors/changgu-error.ts';
import { ConfigurationError, InvalidResponseError } from './errors/transport-errors.ts';
import { JobChanges } from './events/job-changes.ts';
import { JobsApi } from './jobs/jobs-api.ts';
import { systemClock } from './request/clock.ts';
import type { Core } from './request/core.ts';
import { leveledLogger } from './request/logging.ts';
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
import { readOwnInstitutions } from './resources/own-institutions.ts';
import { Products } from './resources/products.ts';
import { Receipts } from './resources/receipts.ts';
import { System } from './resources/system.ts';
import { TaxPortal } from './resources/tax-portal.ts';
import { Webhooks } from './resources/webhooks.ts';
import { environmentVariable, isBrowser } from './runtime.ts';
import { SharedParts } from './shared-parts.ts';

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
 * @throws ConfigurationError for invalid options, and in a browser
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
  readonly #shared: SharedParts;
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
    this.#shared = inherited ?? new SharedParts(settings);
    const core = coreFor(settings, this.#shared);
    const caller = new Caller(
      core,
      resolveBaseUrl(settings.baseUrl),
      resolveEnvScope(settings.envScope),
      new ClientCredentials(settings),
      settings,
    );
    const readKeys = () => fetchKeys(caller);
    const keys = this.#shared.keysOf(caller, () => new KeyCache(readKeys, core.clock));
    this.#caller = caller;
    const changes = new JobChanges(core.clock);
    const api = new JobsApi(caller, keys, changes);
    const encryptor = lazyEncryptor(settings.encryptor);
    const encrypt = async (secrets: Parameters<typeof encryptFields>[2]) =>
      encryptFields(encryptor(), await keys.current(readKeys), secrets);

    this.jobs = new Jobs(caller, api, encrypt);
    this.artifacts = new Artifacts(caller, api);
    this.events = new Events(caller, changes);
    this.webhooks = new Webhooks(caller);
    this.receipts = new Receipts(caller);
    this.account = new Account(caller);
    this.integrators = new Integrators(caller);
    this.appCredentials = new AppCredentials(caller);
    this.oauth = new OAuth(caller);
    this.credentials = new Credentials(caller, encrypt);
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
    return reply(options, (noted) => this.#request(request, noted));
  }

  async #request(
    { method, path, as, query, body, idempotencyKey }: WireRequest,
    options: RequestOptions,
  ): Promise<WireAnswer> {
    // `//host` would be another origin, and braces a template.
    if (!/^\/(?!\/)[^?#{}\\]*$/.test(path)) {
      throw new ConfigurationError('path must begin with one slash and hold no query.');
    }
    const input = { query, body: body === undefined ? undefined : JSON.stringify(body) };
    const { status, body: answer } = await this.#caller.sendTo(
      { method, path, as },
      { ...input, idempotencyKey },
      options,
    );
    return { status, body: answer };
  }

  /**
   * The custom institutions that this service loads by CHANGGU_CONNECTORS, with their actions and JSON
   * Schemas, in the form in which `loadCatalogue()` of `@changgu/sdk/catalogue` returns the built-in ones; empty if there
   * are none. Needs no credentials.
   * @throws InvalidResponseError when they do not match the catalog's format
   * @see docs/specification/institutions.md#d149
   */
  ownInstitutions(options?: RequestOptions): Reply<readonly CatalogueInstitution[]> {
    return reply(options, (noted) => readOwnInstitutions(this.#caller, noted));
  }

  /**
   * A client with some options changed, for example a console token or another environment. It shares this client's
   * connections, retry budget, wait permits and encryption keys, and keeps its credentials, including those from the
   * environment: given ones are added, and `undefined` removes one. With both kinds, calls of the job service are
   * sent as the client and calls of the console as the person, in whatever order they were given.
   */
  with(options: Omit<ClientOptions, 'fetch' | 'connection' | 'retryBudget'>): Changgu {
    const merged = { ...this.#options, ...options };
    inheritedParts.set(merged, this.#shared);
    return new Changgu(merged);
  }

  /** Closes idle connections once the calls in progress have finished. */
  close(): Promise<void> {
    return this.#shared.transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** What a derived client takes over from its origin. */
const inheritedParts = new WeakMap<ClientOptions, SharedParts>();

function coreFor(options: ClientOptions, { transport, budget, waitSlots }: SharedParts): Core {
  const { onRetry, tracer } = options;
  const level = options.logLevel ?? environmentVariable('CHANGGU_LOG');
  return {
    transport,
    budget,
    waitSlots,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    middleware: options.middleware ?? [],
    logger: leveledLogger(options.logger, level),
    tracer,
    onRetry,
  };
}

/** The default backend is chosen at the first secret, because choosing it loads a crypto module. */
function lazyEncryptor(given: Encryptor | undefined): () => Encryptor {
  let chosen = given;
  return () => {
    chosen ??= platformEncryptor();
    return chosen;
  };
}

async function fetchKeys(caller: Caller): Promise<FetchedKeys> {
  const { body, headers, status, facts } = await caller.send('readEncryptionKeys', {});
  if (!isKeySet(body)) {
    throw withFacts(new InvalidResponseError(status, 'it is not a key set'), facts);
  }
  return { keys: body, headers };
}

function isKeySet(body: unknown): body is FetchedKeys['keys'] {
  return typeof body === 'object' && body !== null && Array.isArray(Reflect.get(body, 'keys'));
}
