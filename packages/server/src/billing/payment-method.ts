import { hash } from 'node:crypto';
import type { PaymentMethodRecord, PaymentMethodRequest } from '@changgu/contract/schemas';
import type { Vault } from '../crypto/vault.ts';
import { kstTime } from '../rules/kst.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { invalidValue, ServiceError } from '../rules/service-error.ts';
import type { PaymentMethod } from '../store/billing/payment-methods.ts';
import type { Store } from '../store/database.ts';
import { billingKeyPlace } from '../store/schema/sealed-places.ts';
import { type AuthSessionDependencies, readAuthSession } from './auth-session.ts';
import type { PaymentProvider } from './payment-provider.ts';

export interface PaymentDependencies extends AuthSessionDependencies {
  readonly store: Pick<Store, 'paymentMethods' | 'clock'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly paymentProvider: PaymentProvider;
}

interface Registered {
  readonly isNew: boolean;
  readonly record: PaymentMethodRecord;
}

/**
 * Completes a billing-auth session: exchanges the auth key for a billing key and stores it sealed.
 * Repeating the request gives the same answer. A session registers one card; the request to the provider
 * carries an idempotency key, so a lost answer does not lose the card.
 * @throws ServiceError 400 for a session or auth key that is not valid, RESOURCE_NOT_FOUND for
 *   another organization's session, CONFLICT_STATE when the session was used for another auth key;
 * or the payment provider's own error
 */
export async function registerPaymentMethod(
  { store, vault, paymentProvider, proofSecrets }: PaymentDependencies,
  organizationId: number,
  body: PaymentMethodRequest,
  actor: Actor,
): Promise<Registered> {
  const { customer_key: customerKey, auth_key: authKey } = body;
  const session = readAuthSession(proofSecrets(), customerKey, body.session_proof);
  if (session === null) throw invalidSession('The proof is not that of the customer key');
  if (session.organizationId !== organizationId) throw new ServiceError('RESOURCE_NOT_FOUND');
  const authKeyHash = hash('sha256', `${customerKey}:${authKey}`);
  const request = { organizationId, customerKey, authKeyHash };
  const existing = await store.paymentMethods.ofSession(request);
  if (existing) return { isNew: false, record: recordOf(existing) };
  if (session.expiresAt <= (await store.clock.now())) {
    throw invalidSession('The session has expired; open another one');
  }
  const card = await paymentProvider.registerCard({
    customerKey,
    authKey,
    idempotencyKey: authKeyHash,
  });
  const { method, isNew } = await store.paymentMethods.register({
    ...request,
    billingKey: await vault.seal(
      String(organizationId),
      billingKeyPlace(customerKey),
      Buffer.from(card.billingKey),
    ),
    cardCompany: card.cardCompany,
    lastFour: card.lastFour,
    actor,
  });
  return { isNew, record: recordOf(method) };
}

/** Null when none is registered. */
export async function findPaymentMethod(
  { store }: { readonly store: Pick<Store, 'paymentMethods'> },
  organizationId: number,
): Promise<PaymentMethodRecord | null> {
  const method = await store.paymentMethods.current({ organizationId });
  return method ? recordOf(method) : null;
}

/** @throws ServiceError RESOURCE_NOT_FOUND when none is registered */
export async function readPaymentMethod(
  dependencies: Pick<PaymentDependencies, 'store'>,
  organizationId: number,
): Promise<PaymentMethodRecord> {
  const method = await findPaymentMethod(dependencies, organizationId);
  if (method === null) throw new ServiceError('RESOURCE_NOT_FOUND');
  return method;
}

function recordOf(method: PaymentMethod): PaymentMethodRecord {
  return {
    organization_id: method.organizationId,
    method: 'CARD',
    card_company: method.cardCompany,
    masked_card_number: `****${method.lastFour}`,
    registered_at: kstTime(method.registeredAt),
  };
}

function invalidSession(msg: string): ServiceError {
  return invalidValue([{ loc: ['body', 'session_proof'], msg, type: 'value_error' }]);
}
