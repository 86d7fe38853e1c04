import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import { Caller, type WireRoute } from './caller.ts';
import {
  type ClientOptions,
  type RequestOptions,
  resolveBaseUrl,
  resolveEnvScope,
} from './client-options.ts';
import { ClientCredentials } from './credentials-of-client.ts';
import { encryptFields } from './encryption/encrypt-fields.ts';
import type { Encryptor } from './encryption/encryptor.ts';
import { type FetchedKeys, KeyCache } from './encryption/key-cache.ts';
import { nodeCrypto, nodeEncryptor } from './encryption/node-encryptor.ts';
import { webEncryptor } from './encryption/web-encryptor.ts';
import { ConfigurationError, InvalidResponseError } from './errors/transport-errors.ts';
import { JobsApi } from './jobs/jobs-api.ts';
import { systemClock } from './request/clock.ts';
import type { Core } from './request/core.ts';
import { fetchTransport } from './request/fetch-transport.ts';
import type { Transport } from './request/http.ts';
import { ofetchTransport } from './request/ofetch-transport.ts';
import { RetryBudget } from './request/retry-budget.ts';
import { undiciSource } from './request/undici-source.ts';
import { Account } from './resources/account.ts';
import { Admin } from './resources/admin.ts';
import { AppCredentials } from './resources/app-credentials.ts';
import { Artifacts } from './resources/artifacts.ts';
import { Billing } from './resources/billing.ts';
import { Credentials } from './resources/credentials.ts';
import { EncryptionKeys } from './resources/encryption-keys.ts';
import { Institutions } from './resources/institutions.ts';
import { Integrators } from './resources/integrators.ts';
import { Jobs } from './resources/jobs.ts';
import { Membership } from './resources/membership.ts';
import { Products } from './resources/products.ts';
import { System } from './resources/system.ts';
import { TaxPortal } from './resources/tax-portal.ts';
import { isBrowser, isNode } from './runtime.ts';

/** A request as the wire has it. */
export interface WireRequest extends WireRoute {
  /** Arrays repeat their name. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** What any 2xx answer says, names as on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Connections that a derived client takes over from the one it came from. */
const sharedTransports = new WeakMap<ClientOptions, Transport>();

/**
 * Client of one Changgu service in one environment. Connections are pooled: make one and share it.
 * @example
 * const client = new Changgu({ baseUrl, clientId, clientSecret, envScope: 'sandbox' });
 * const { data } = await client.jobs.run({ action: 'bank_b.accounts.transaction_history.search', params: {} });
 * @throws ConfigurationError for options that cannot be used, and in a browser
 */
export class Changgu {
  readonly jobs: Jobs;
  readonly artifacts: Artifacts;
  readonly account: Account;
  readonly integrators: Integrators;
  readonly appCredentials: AppCredentials;
  readonly credentials: Credentials;
  readonly membership: Membership;
  readonly encryptionKeys: EncryptionKeys;
  readonly institutions: Institutions;
  readonly products: Products;
  readonly billing: Billing;
  readonly taxPortal: TaxPortal;
  readonly admin: Admin;
  readonly system: System;
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #caller: Caller;

  constructor(options: ClientOptions = {}) {
    if (isBrowser()) {
      throw new ConfigurationError(
        'A client secret has no place in a browser. Encrypt there with @changgu/sdk/encrypt and call the service from a server.',
      );
    }
    this.#options = options;
    this.#transport = sharedTransports.get(options) ?? transportFor(options);
    const core = coreFor(options, this.#transport);
    const caller = new Caller(
      core,
      resolveBaseUrl(options.baseUrl),
      resolveEnvScope(options.envScope),
      new ClientCredentials(options),
      options,
    );
    const keys = new KeyCache(() => fetchKeys(caller), core.clock);
    this.#caller = caller;
    const api = new JobsApi(caller, keys);
    const encryptor = lazyEncryptor(options.encryptor);
    const encrypt = async (secrets: Parameters<typeof encryptFields>[2]) =>
      encryptFields(encryptor(), await keys.current(), secrets);

    this.jobs = new Jobs(caller, api, encrypt);
    this.artifacts = new Artifacts(caller, api);
    this.account = new Account(caller);
    this.integrators = new Integrators(caller);
    this.appCredentials = new AppCredentials(caller);
    this.credentials = new Credentials(caller, encrypt);
    this.membership = new Membership(caller);
    this.encryptionKeys = new EncryptionKeys(caller);
    this.institutions = new Institutions(caller);
    this.products = new Products(caller);
    this.billing = new Billing(caller);
    this.taxPortal = new TaxPortal(caller);
    this.admin = new Admin(caller);
    this.system = new System(caller);
  }

  /**
   * Any request, for what has no method here: credentials, limits, retries and errors as everywhere, names as on the
   * wire. Only a GET, or a request with a key, is repeated after a failure.
   * @throws ConfigurationError for a path that does not begin with one slash
   */
  async request(
    { method, path, as, query, body, idempotencyKey }: WireRequest,
    options?: RequestOptions,
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
   * The institutions that a team added to this service by CHANGGU_CONNECTORS (D149), with their actions and JSON
   * Schemas as `loadCatalogue()` of `@changgu/sdk/catalogue` has the built-in ones. None from a service that names none.
   * Needs no credentials.
   * @throws InvalidResponseError when they are not as the catalogue has them
   */
  async ownInstitutions(options?: RequestOptions): Promise<readonly CatalogueInstitution[]> {
    const { readOwnInstitutions } = await import('./resources/own-institutions.ts');
    return readOwnInstitutions(this.#caller, options);
  }

  /** A client with some options changed, e.g. a console token or another environment. Shares the connections. */
  with(options: Omit<ClientOptions, 'fetch' | 'connection'>): Changgu {
    const merged = { ...this.#options, ...options };
    sharedTransports.set(merged, this.#transport);
    return new Changgu(merged);
  }

  /** Closes idle connections once the calls under way have finished. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function transportFor({ fetch, connection = {} }: ClientOptions): Transport {
  if (fetch) return fetchTransport(fetch);
  // Looked up at each call, so that a patched global is seen.
  if (!isNode()) return fetchTransport((...args) => globalThis.fetch(...args));
  return ofetchTransport(() => undiciSource(connection));
}

function coreFor(options: ClientOptions, transport: Transport): Core {
  const { retryBudget = { ratio: 0.1, burst: 10 }, logger, onRetry } = options;
  const unlimited = { ratio: 0, burst: Number.POSITIVE_INFINITY };
  return {
    transport,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    budget: new RetryBudget(retryBudget || unlimited),
    middleware: options.middleware ?? [],
    logger,
    onRetry,
  };
}

/** The default backend is chosen at the first secret: choosing it loads a crypto module. */
function lazyEncryptor(given: Encryptor | undefined): () => Encryptor {
  let chosen = given;
  return () => {
    if (!chosen) {
      const node = nodeCrypto();
      chosen = node ? nodeEncryptor(node) : webEncryptor();
    }
    return chosen;
  };
}

async function fetchKeys(caller: Caller): Promise<FetchedKeys> {
  const { body, headers, status } = await caller.send('readEncryptionKeys', {});
  if (!isKeySet(body)) throw new InvalidResponseError(status, 'it is no key set');
  return { keys: body, headers };
}

function isKeySet(body: unknown): body is FetchedKeys['keys'] {
  return typeof body === 'object' && body !== null && Array.isArray(Reflect.get(body, 'keys'));
}
