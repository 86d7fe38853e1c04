import { createHmac, type KeyObject } from 'node:crypto';
import type { BillingAuthSessionResponse } from '@changgu/contract/schemas';
import { ulid } from 'ulid';

/** How long the payment widget may be used, in seconds (D117). */
export const AUTH_SESSION_SECONDS = 1_800;

interface AuthSessions {
  /** Who we are at the payment provider. */
  readonly clientKey: string;
  /** For HMAC-SHA256. */
  readonly secret: KeyObject;
}

/**
 * Opens a session for registering a means of payment. The customer key says whose it is and until
 * when; the proof binds it, so that nothing needs to be stored.
 * @param now milliseconds, business time
 */
export function openAuthSession(
  { clientKey, secret }: AuthSessions,
  organizationId: number,
  now: number,
): BillingAuthSessionResponse {
  const expires = Math.floor(now / 1000) + AUTH_SESSION_SECONDS;
  const customerKey = `cus_${organizationId}_${expires}_${ulid(now)}`;
  return {
    customer_key: customerKey,
    client_key: clientKey,
    session_proof: createHmac('sha256', secret).update(`billing-auth:${customerKey}`).digest('hex'),
  };
}
