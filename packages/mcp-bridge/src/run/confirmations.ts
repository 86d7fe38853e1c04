import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';

/** How long a person has to answer, in milliseconds. */
const LIFETIME_MS = 5 * 60_000;

/**
 * Two-step confirmation for hosts that cannot ask their person: the first call returns a token, the second
 * sends it back with the same arguments. A token is valid for exactly one act, for five minutes, in this process.
 */
export class Confirmations {
  readonly #key = randomBytes(32);
  readonly #used = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A token for this act only. */
  issue(act: unknown): string {
    const expires = this.#now() + LIFETIME_MS;
    const head = `${expires}.${randomBytes(9).toString('base64url')}`;
    return `${head}.${this.#seal(head, act)}`;
  }

  /**
   * Consumes a token.
   * @returns false when it is for another act, forged, older than five minutes or already used
   */
  spend(token: string, act: unknown): boolean {
    const [expires = '', nonce = '', seal = ''] = token.split('.');
    const given = Buffer.from(seal);
    const own = Buffer.from(this.#seal(`${expires}.${nonce}`, act));
    if (given.length !== own.length || !timingSafeEqual(given, own)) return false;
    const now = this.#now();
    if (Number(expires) <= now || this.#used.has(nonce)) return false;
    for (const [old, end] of this.#used) if (end <= now) this.#used.delete(old);
    this.#used.set(nonce, Number(expires));
    return true;
  }

  /** The key for the state that a host carries between the rounds of a question. */
  get stateKey(): Uint8Array {
    return createHmac('sha256', this.#key).update('request state').digest();
  }

  #seal(head: string, act: unknown): string {
    const text = `${head}\0${canonicalJson(act)}`;
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
