import { createHmac, type KeyObject } from 'node:crypto';
import type { BillingAuthSessionResponse } from '@changgu/contract/schemas';
import { ulid } from 'ulid';
import { sameBytes } from '../crypto/same-secret.ts';
import type { Store } from '../store/database.ts';
import type { PaymentProvider } from './payment-provider.ts';

/** How long a session can be used to register a card, in seconds. */
export const AUTH_SESSION_SECONDS = 1_800;

/** Keys for HMAC-SHA256, the current one first. */
export type ProofSecrets = readonly [KeyObject, ...KeyObject[]];

export interface AuthSessionDependencies {
  readonly store: { readonly clock: Pick<Store['clock'], 'now'> };
  readonly paymentProvider: Pick<PaymentProvider, 'cardPage'>;
  readonly proofSecrets: () => ProofSecrets;
}

/** The content of a customer key whose proof was checked. */
export interface AuthSession {
  readonly organizationId: number;
  /** Milliseconds, business time. */
  readonly expiresAt: number;
}

/**
 * Opens a session for registering a payment method. The customer key names the organization and the expiry;
 * the proof authenticates it, so nothing has to be stored.
 */
export async function openAuthSession(
  { store, paymentProvider, proofSecrets }: AuthSessionDependencies,
  organizationId: number,
): Promise<BillingAuthSessionResponse> {
  const cardPage = await paymentProvider.cardPage();
  const now = await store.clock.now();
  const expires = Math.floor(now / 1000) + AUTH_SESSION_SECONDS;
  const customerKey = `cus_${organizationId}_${expires}_${ulid(now)}`;
  return {
    customer_key: customerKey,
    client_key: cardPage.clientKey,
    session_proof: proofOf(customerKey, proofSecrets()[0]).toString('hex'),
    card_page_url: cardPage.url,
  };
}

/** Null when the proof does not belong to the customer key. */
export function readAuthSession(
  secrets: ProofSecrets,
  customerKey: string,
  proof: string,
): AuthSession | null {
  const given = Buffer.from(proof, 'hex');
  const genuine = secrets.some((secret) => sameBytes(given, proofOf(customerKey, secret)));
  const fields = /^cus_(\d+)_(\d+)_/.exec(customerKey);
  if (!genuine || !fields) return null;
  return { organizationId: Number(fields[1]), expiresAt: Number(fields[2]) * 1000 };
}

function proofOf(customerKey: string, secret: KeyObject): Buffer {
  return createHmac('sha256', secret).update(`billing-auth:${customerKey}`).digest();
}
