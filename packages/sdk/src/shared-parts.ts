import { platformTransport } from '#platform';
import type { ClientSettings } from './caller.ts';
import type { ClientOptions } from './client-options.ts';
import type { KeyCache } from './encryption/key-cache.ts';
import type { TokenHome } from './jobs/stored-token.ts';
import { fetchTransport } from './request/fetch-transport.ts';
import type { Transport } from './request/http.ts';
import { RetryBudget } from './request/retries/retry-budget.ts';
import { DEFAULT_WAITS, WaitSlots } from './request/wait-slots.ts';
import { Sending } from './sending.ts';

const DEFAULT_BUDGET = { ratio: 0.1, burst: 100 };
const UNLIMITED = { ratio: 0, burst: Number.POSITIVE_INFINITY };

/** What a client shares with those derived from it. */
export class SharedParts {
  readonly transport: Transport;
  readonly budget: RetryBudget;
  readonly waitSlots: WaitSlots;
  readonly #keys = new Map<string, KeyCache>();

  constructor({ fetch, connection = {}, retryBudget = DEFAULT_BUDGET }: ClientOptions) {
    this.transport = fetch ? fetchTransport(fetch) : platformTransport(connection);
    this.budget = new RetryBudget(retryBudget || UNLIMITED);
    this.waitSlots = new WaitSlots(connection.waits ?? DEFAULT_WAITS);
  }

  sendingOf(client: ClientSettings): Sending {
    return new Sending(client, this);
  }

  /** Each service has its keys, and each of its environments. */
  keysOf({ baseUrl, envScope }: TokenHome, make: () => KeyCache): KeyCache {
    const home = `${envScope} ${baseUrl}`;
    const keys = this.#keys.get(home) ?? make();
    this.#keys.set(home, keys);
    return keys;
  }
}
