import { randomBytes } from 'node:crypto';
import type { Card } from './card.ts';

/** How long the key on the way back from the card page may be exchanged. */
const AUTH_KEY_LIFE_MS = 10 * 60_000;

export interface Exchange {
  authKey: string;
  customerKey: string;
  /** Null: the merchant sent none, and gets no second answer. */
  idempotencyKey: string | null;
}

export type ExchangeAnswer =
  | { kind: 'issued'; billingKey: string; card: Card; at: number }
  | { kind: 'invalid' }
  | { kind: 'declined' };

interface Authorization {
  customerKey: string;
  card: Card;
  expiresAt: number;
}

/** Keys of registered cards, in memory: an auth key works once, for ten minutes, for its customer. */
export class BillingKeys {
  /** While true, card companies refuse. */
  declines = false;
  readonly #now: () => number;
  readonly #authorizations = new Map<string, Authorization>();
  readonly #answers = new Map<string, { exchange: Exchange; answer: ExchangeAnswer }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  authorize(customerKey: string, card: Card): string {
    const authKey = `bln_${randomBytes(24).toString('base64url')}`;
    const expiresAt = this.#now() + AUTH_KEY_LIFE_MS;
    this.#authorizations.set(authKey, { customerKey, card, expiresAt });
    return authKey;
  }

  /** The same request under the same idempotency key has the same answer. */
  exchange(exchange: Exchange): ExchangeAnswer {
    const { idempotencyKey } = exchange;
    const earlier = idempotencyKey === null ? undefined : this.#answers.get(idempotencyKey);
    if (earlier && isSame(earlier.exchange, exchange)) return earlier.answer;
    const answer = this.#redeem(exchange);
    if (idempotencyKey !== null && answer.kind === 'issued') {
      this.#answers.set(idempotencyKey, { exchange, answer });
    }
    return answer;
  }

  #redeem({ authKey, customerKey }: Exchange): ExchangeAnswer {
    const known = this.#authorizations.get(authKey);
    const now = this.#now();
    if (!known || known.customerKey !== customerKey || now >= known.expiresAt) {
      return { kind: 'invalid' };
    }
    this.#authorizations.delete(authKey);
    if (this.declines) return { kind: 'declined' };
    const billingKey = `blk_${randomBytes(24).toString('base64url')}`;
    return { kind: 'issued', billingKey, card: known.card, at: now };
  }
}

function isSame(one: Exchange, other: Exchange): boolean {
  return one.authKey === other.authKey && one.customerKey === other.customerKey;
}
