import type { Clock } from '../request/clock.ts';
import type { ResponseHeaders } from '../request/http.ts';
import { chooseKey, type EncryptionKeySet } from './choose-key.ts';
import type { EncryptionKey } from './encryptor.ts';
import { SharedWork } from './shared-work.ts';

export interface FetchedKeys {
  readonly keys: EncryptionKeySet;
  readonly headers: ResponseHeaders;
}

/** Reads the key set with the credentials of the client that needs it, which shares this cache. */
type FetchKeys = (signal: AbortSignal) => Promise<FetchedKeys>;

/** A key older than this is always requested again, whatever Cache-Control says. */
const MAX_FRESH_MS = 10 * 60_000;
/** A stale key may still be used while the service is unreachable: a rotated one is accepted for days. */
const STALE_IF_ERROR_MS = 60 * 60_000;
/** A forced refresh is not repeated sooner. */
const COOLDOWN_MS = 30_000;

/** An organization's encryption key: fetched once for all callers, kept as long as the answer allows. */
export class KeyCache {
  readonly #clock: Clock;
  #cached: { key: EncryptionKey; fetchedAt: number; freshUntil: number } | null = null;
  #pending: SharedWork<EncryptionKey> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The current key for encryption.
   * @throws EncryptionError when the service lists no usable key
   */
  async current(fetchKeys: FetchKeys, signal: AbortSignal): Promise<EncryptionKey> {
    const now = this.#clock.now();
    if (this.#cached && now < this.#cached.freshUntil) return this.#cached.key;
    try {
      return await this.#refresh(fetchKeys, signal);
    } catch (error) {
      const stale = this.#cached;
      if (stale && now < stale.fetchedAt + STALE_IF_ERROR_MS) return stale.key;
      throw error;
    }
  }

  /** A value was refused: the next call requests the key again, at most every 30 s. */
  invalidate(): void {
    const now = this.#clock.now();
    if (this.#cached && now - this.#cached.fetchedAt >= COOLDOWN_MS) this.#cached.freshUntil = now;
  }

  #refresh(fetchKeys: FetchKeys, signal: AbortSignal): Promise<EncryptionKey> {
    if (this.#pending?.isOver !== false) {
      this.#pending = new SharedWork(async (left) => this.#keep(await fetchKeys(left)));
    }
    return this.#pending.join(signal);
  }

  #keep({ keys, headers }: FetchedKeys): EncryptionKey {
    const chosen = chooseKey(keys);
    const now = this.#clock.now();
    // Backends cache the parsed key by identity, so the same key must stay the same object.
    const known = this.#cached?.key;
    const key = known?.kid === chosen.kid && known.n === chosen.n ? known : chosen;
    this.#cached = { key, fetchedAt: now, freshUntil: now + freshFor(headers) };
    return key;
  }
}

function freshFor(headers: ResponseHeaders): number {
  const seconds = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1];
  return Math.min(Number(seconds ?? 0) * 1000, MAX_FRESH_MS);
}
