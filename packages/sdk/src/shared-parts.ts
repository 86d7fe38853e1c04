import { platformTransport } from '#platform';
import type { ClientSettings } from './caller.ts';
import type { ClientOptions } from './client-options.ts';
import type { Principal } from './credentials-of-client.ts';
import { KeyCache } from './encryption/key-cache.ts';
import { fetchTransport } from './request/fetch-transport.ts';
import type { Transport } from './request/http.ts';
import { RetryBudget } from './request/retries/retry-budget.ts';
import { DEFAULT_WAITS, WaitSlots } from './request/wait-slots.ts';
import { Sending } from './sending.ts';

const DEFAULT_BUDGET = { ratio: 0.1, burst: 100 };
/** A program may derive a client for every request that it gets. */
const MAX_KEYS = 100;
const UNLIMITED = { ratio: 0, burst: Number.POSITIVE_INFINITY };

/** What a client shares with those derived from it. */
export class SharedParts {
  readonly transport: Transport;
  readonly budget: RetryBudget;
  readonly waitSlots: WaitSlots;
  readonly #keys: { readonly owner: readonly unknown[]; readonly cache: KeyCache }[] = [];

  constructor({ fetch, connection = {}, retryBudget = DEFAULT_BUDGET }: ClientOptions) {
    this.transport = fetch ? fetchTransport(fetch) : platformTransport(connection);
    this.budget = new RetryBudget(retryBudget || UNLIMITED);
    this.waitSlots = new WaitSlots(connection.waits ?? DEFAULT_WAITS);
  }

  sendingOf(client: ClientSettings): Sending {
    return new Sending(client, this);
  }

  /** Each organization has its keys, in each environment. Whose they are follows from the credentials alone. */
  keysOf(client: ClientSettings, authority: Principal): KeyCache {
    const { baseUrl, envScope, credentials, settings, clock } = client;
    const owner = [baseUrl, envScope, settings.organizationId, credentials.secretFor(authority)];
    const known = this.#keys.find((other) => other.owner.every((part, n) => part === owner[n]));
    if (known) return known.cache;
    const cache = new KeyCache(clock);
    this.#keys.push({ owner, cache });
    if (this.#keys.length > MAX_KEYS) this.#keys.shift();
    return cache;
  }
}
