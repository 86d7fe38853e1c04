import type { Camel } from '@changgu/contract';
import type { Caller, OperationInput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { eachItem } from '../paging.ts';
import type { Reply } from '../request/reply.ts';
import type { Subscription } from './admin.ts';

export interface Invoice extends Camel.Invoice {}
export interface InvoicePage extends Camel.InvoiceListResponse {}
export interface InvoiceDetails extends Camel.InvoiceRecordRequest {}
export interface InvoiceRefund extends Camel.InvoiceRefundRequest {}
export interface PlanList extends Camel.PlanListResponse {}
export interface OfflineProfile extends Camel.OfflineProfileRecord {}
export interface OfflineProfileDetails extends Camel.OfflineProfileRequest {}
export interface BillingAccount extends Camel.BillingAccountResponse {}
export interface BillingAuthSession extends Camel.BillingAuthSessionResponse {}
export interface PaymentMethod extends Camel.PaymentMethodRecord {}
export interface PaymentMethodRegistration extends Camel.PaymentMethodRequest {}
export type InvoiceQuery = NonNullable<OperationInput<'listInvoices'>['query']>;

/** Plans, subscription and invoices. Needs the console token of an OWNER or ADMIN, or an admin token. */
export class Billing {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** The available plans. Client credentials suffice. */
  listPlans(options?: RequestOptions): Reply<PlanList> {
    return this.#caller.call('listPlans', {}, options);
  }

  /** Subscription and card; null for what does not exist. */
  account(
    query: NonNullable<OperationInput<'readBillingAccount'>['query']> = {},
    options?: RequestOptions,
  ): Reply<BillingAccount> {
    return this.#caller.call('readBillingAccount', { query }, options);
  }

  /** The organization's subscription. @throws NotFoundError when there is none */
  subscription(
    query: NonNullable<OperationInput<'readSubscription'>['query']> = {},
    options?: RequestOptions,
  ): Reply<Subscription> {
    return this.#caller.call('readSubscription', { query }, options);
  }

  /** One page of invoices of the client's environment, newest first. */
  listInvoices(query: InvoiceQuery = {}, options?: RequestOptions): Reply<InvoicePage> {
    return this.#caller.call('listInvoices', { query }, options);
  }

  /** All invoices, newest first, page by page. */
  eachInvoice(
    query: InvoiceQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<Invoice, void, void> {
    return eachItem((place) => this.listInvoices({ ...query, ...place }, options));
  }

  /** One invoice. @throws NotFoundError when the organization has no invoice with that id */
  invoice(invoiceId: number, options?: RequestOptions): Reply<Invoice> {
    return this.#caller.call('readInvoice', { path: { invoiceId } }, options);
  }

  /** The recipient of the tax invoice. @throws NotFoundError when none was set */
  offlineProfile(organizationId: number, options?: RequestOptions): Reply<OfflineProfile> {
    return this.#caller.call('readOfflineProfile', { path: { organizationId } }, options);
  }

  /** Sets the recipient of the tax invoice. */
  replaceOfflineProfile(
    organizationId: number,
    body: OfflineProfileDetails,
    options?: RequestOptions,
  ): Reply<OfflineProfile> {
    return this.#caller.call('replaceOfflineProfile', { path: { organizationId }, body }, options);
  }

  /**
   * Opens a session for registering a card, for 30 minutes: the payment provider's page
   * needs `customerKey` and `clientKey`. Needs a console token.
   * @see docs/specification/billing.md#d117
   */
  createAuthSession(options?: RequestOptions): Reply<BillingAuthSession> {
    return this.#caller.call('createBillingAuthSession', {}, options);
  }

  /**
   * Completes the session with the `authKey` from the provider's page. Repeating it
   * registers nothing twice. Needs a console token.
   * @throws ConflictError PROVIDER_CREDENTIAL_REJECTED when the card is declined; ValidationError for an expired
   * proof or an invalid `authKey`; NotFoundError for another organization's session
   */
  registerPaymentMethod(
    body: PaymentMethodRegistration,
    options?: RequestOptions,
  ): Reply<PaymentMethod> {
    return this.#caller.call('registerPaymentMethod', { body }, options);
  }

  /** The registered card. @throws NotFoundError when there is none */
  paymentMethod(
    query: NonNullable<OperationInput<'readPaymentMethod'>['query']> = {},
    options?: RequestOptions,
  ): Reply<PaymentMethod> {
    return this.#caller.call('readPaymentMethod', { query }, options);
  }

  /** Records an invoice. Like all of the following, this needs an admin token. */
  recordInvoice(body: InvoiceDetails, options?: RequestOptions): Reply<Invoice> {
    return this.#caller.call('recordInvoice', { body }, options);
  }

  /** Issues a draft. The following also throw this. @throws ConflictError CONFLICT_STATE in any other state */
  openInvoice(invoiceId: number, options?: RequestOptions): Reply<Invoice> {
    return this.#caller.call('openInvoice', { path: { invoiceId } }, options);
  }

  /** Settles an issued invoice, including an uncollectible one. */
  payInvoice(invoiceId: number, options?: RequestOptions): Reply<Invoice> {
    return this.#caller.call('payInvoice', { path: { invoiceId } }, options);
  }

  /** Voids an invoice that is not settled. */
  voidInvoice(invoiceId: number, options?: RequestOptions): Reply<Invoice> {
    return this.#caller.call('voidInvoice', { path: { invoiceId } }, options);
  }

  /** Marks an issued invoice as uncollectible. */
  markUncollectible(invoiceId: number, options?: RequestOptions): Reply<Invoice> {
    return this.#caller.call('markInvoiceUncollectible', { path: { invoiceId } }, options);
  }

  /** Refunds an amount in won, or the rest that is not refunded yet. */
  refundInvoice(
    invoiceId: number,
    body: InvoiceRefund = {},
    options?: RequestOptions,
  ): Reply<Invoice> {
    return this.#caller.call('refundInvoice', { path: { invoiceId }, body }, options);
  }
}
