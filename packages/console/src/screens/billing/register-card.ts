import type { PaymentMethodRecord } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { addressOf } from '../../app/router.ts';

/** Kept while the person is on the provider's page, in this tab only, and deleted when read. */
const KEPT = 'changgu.card-session';

interface KeptSession {
  readonly customer_key: string;
  readonly session_proof: string;
}

/** Goes to the payment provider's page, where card numbers are entered; never here. */
export async function leaveForCardPage(): Promise<void> {
  const session = await call('createBillingAuthSession');
  const { customer_key, client_key, session_proof } = session;
  const page = new URL(session.card_page_url);
  const back = (card: string) =>
    new URL(addressOf('billing', { card }), window.location.origin).href;
  const parameters = {
    client_key,
    customer_key,
    success_url: back('entered'),
    fail_url: back('canceled'),
  };
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
  sessionStorage.setItem(KEPT, JSON.stringify({ customer_key, session_proof }));
  window.location.assign(page);
}

/** What the provider's page returned. */
export type CardReturn =
  | { readonly kind: 'entered'; readonly body: KeptSession & { readonly auth_key: string } }
  | { readonly kind: 'canceled' }
  /** Does not belong to a registration that this tab began. */
  | { readonly kind: 'foreign' };

/** Null when the address contains nothing about a card. */
export function readCardReturn(query: URLSearchParams): CardReturn | null {
  const card = query.get('card');
  if (card === null) return null;
  const kept = takeKept();
  if (card === 'canceled') return { kind: 'canceled' };
  const auth_key = query.get('auth_key');
  if (kept === null || auth_key === null || query.get('customer_key') !== kept.customer_key) {
    return { kind: 'foreign' };
  }
  return { kind: 'entered', body: { ...kept, auth_key } };
}

export function registerCard(
  body: KeptSession & { readonly auth_key: string },
): Promise<PaymentMethodRecord> {
  return call('registerPaymentMethod', { body });
}

function takeKept(): KeptSession | null {
  const text = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  // Written by the function above.
  return text === null ? null : (JSON.parse(text) as KeptSession);
}
