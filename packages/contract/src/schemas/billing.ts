import { type Static, Type } from 'typebox';
import { LIMITS } from '../limits.ts';
import { INVOICE_STATUSES } from '../values/invoice-statuses.ts';
import { SubscriptionRecord } from './admin.ts';
import { nameOf } from './person-fields.ts';
import { EnvScope, KstTime, nullable, oneOf, strict } from './vocabulary.ts';

const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });
/** Integer won: KRW has no minor unit (T6). */
const Won = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Krw = Type.Literal('KRW');
/** With an offset; a naive time is refused. */
const AwareTime = Type.String({ format: 'date-time', description: 'ISO-8601 with an offset' });

export const INVOICE_ITEM_KINDS = [
  'SUBSCRIPTION',
  'USAGE',
  'ONE_TIME',
  'DISCOUNT',
  'TAX_ADJUSTMENT',
] as const;

export const Money = Type.Object(
  { amount_minor: Won, currency: Krw, tax_included: Type.Boolean() },
  { $id: 'Money', ...strict },
);
export type Money = Static<typeof Money>;

export const InvoiceItem = Type.Object(
  {
    invoice_item_id: Id,
    description: nameOf(200),
    quantity: Type.Integer({ minimum: 0 }),
    unit_amount_minor: Won,
    amount_minor: Won,
    currency: Krw,
    item_kind: oneOf(INVOICE_ITEM_KINDS),
    period_start: nullable(KstTime),
    period_end: nullable(KstTime),
  },
  { $id: 'InvoiceItem', ...strict },
);
export type InvoiceItem = Static<typeof InvoiceItem>;

export const Invoice = Type.Object(
  {
    invoice_id: Id,
    organization_id: Id,
    subscription_id: nullable(Id),
    env_scope: EnvScope,
    invoice_number: Type.String({ pattern: '^INV-[0-9]{6}-[0-9A-Z]{6}$', maxLength: 40 }),
    status: oneOf(INVOICE_STATUSES),
    subtotal_amount_minor: Won,
    tax_amount_minor: Won,
    total_amount_minor: Won,
    currency: Krw,
    period_start: nullable(KstTime),
    period_end: nullable(KstTime),
    issued_at: nullable(KstTime),
    due_at: nullable(KstTime),
    paid_at: nullable(KstTime),
    voided_at: nullable(KstTime),
    items: Type.Array(InvoiceItem),
    created_at: KstTime,
  },
  { $id: 'Invoice', ...strict },
);
export type Invoice = Static<typeof Invoice>;

export const InvoiceListResponse = Type.Object(
  { items: Type.Array(Invoice), next_cursor: nullable(Type.String()) },
  { $id: 'InvoiceListResponse', ...strict },
);
export type InvoiceListResponse = Static<typeof InvoiceListResponse>;

export const InvoiceItemRequest = Type.Object(
  {
    description: nameOf(200),
    quantity: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    unit_amount_minor: Won,
    amount_minor: Won,
    currency: Type.Optional(Krw),
    item_kind: oneOf(INVOICE_ITEM_KINDS),
    period_start: Type.Optional(nullable(AwareTime)),
    period_end: Type.Optional(nullable(AwareTime)),
  },
  { $id: 'InvoiceItemRequest', ...strict },
);
export type InvoiceItemRequest = Static<typeof InvoiceItemRequest>;

/** Body of POST /v1/admin/invoices: recorded as a draft, its sums checked. */
export const InvoiceRecordRequest = Type.Object(
  {
    organization_id: Id,
    subscription_id: Type.Optional(nullable(Id)),
    env_scope: EnvScope,
    subtotal_amount_minor: Won,
    tax_amount_minor: Won,
    total_amount_minor: Won,
    currency: Type.Optional(Krw),
    period_start: Type.Optional(nullable(AwareTime)),
    period_end: Type.Optional(nullable(AwareTime)),
    due_at: Type.Optional(nullable(AwareTime)),
    created_at: Type.Optional(AwareTime),
    items: Type.Optional(Type.Array(InvoiceItemRequest, { maxItems: 500 })),
  },
  { $id: 'InvoiceRecordRequest', ...strict },
);
export type InvoiceRecordRequest = Static<typeof InvoiceRecordRequest>;

export const InvoiceRefundRequest = Type.Object(
  {
    amount_minor: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          description:
            'Amount to refund; omitted or null: everything not yet refunded. After a partial refund only that can follow',
        }),
      ),
    ),
  },
  { $id: 'InvoiceRefundRequest', ...strict },
);
export type InvoiceRefundRequest = Static<typeof InvoiceRefundRequest>;

export const PlanRecord = Type.Object(
  {
    plan_code: Type.String(),
    plan_name: Type.String(),
    price: Money,
    daily_tokens: nullable(Type.Integer({ minimum: 0 })),
    monthly_tokens: nullable(Type.Integer({ minimum: 0 })),
  },
  { $id: 'PlanRecord', ...strict },
);
export type PlanRecord = Static<typeof PlanRecord>;

export const PlanListResponse = Type.Object(
  { items: Type.Array(PlanRecord) },
  { $id: 'PlanListResponse', ...strict },
);
export type PlanListResponse = Static<typeof PlanListResponse>;

/** Who is billed outside the payment provider. */
export const OfflineProfileRequest = Type.Object(
  {
    company_name: nameOf(200),
    business_number: Type.String({ minLength: 10, maxLength: 12 }),
    tax_email: Type.String({ minLength: 3, maxLength: 320 }),
    payment_terms_days: Type.Integer({ minimum: 0, maximum: 365 }),
  },
  { $id: 'OfflineProfileRequest', ...strict },
);
export type OfflineProfileRequest = Static<typeof OfflineProfileRequest>;

export const OfflineProfileRecord = Type.Object(
  {
    organization_id: Id,
    env_scope: EnvScope,
    company_name: Type.String(),
    business_number: Type.String(),
    tax_email: Type.String(),
    payment_terms_days: Type.Integer(),
  },
  { $id: 'OfflineProfileRecord', ...strict },
);
export type OfflineProfileRecord = Static<typeof OfflineProfileRecord>;

/** What the payment provider's widget needs. */
export const BillingAuthSessionResponse = Type.Object(
  {
    customer_key: Type.String({ minLength: 2, maxLength: 300 }),
    client_key: Type.String({ minLength: 1, maxLength: 200 }),
    session_proof: Type.String({ minLength: 64, maxLength: 128 }),
    card_page_url: Type.String({
      'x-addition': true,
      description:
        "The payment provider's page for cards; it takes `client_key`, `customer_key`, `success_url` and `fail_url` as query parameters",
    }),
  },
  { $id: 'BillingAuthSessionResponse', ...strict },
);
export type BillingAuthSessionResponse = Static<typeof BillingAuthSessionResponse>;

/** What came back from the payment provider's page, with the session that it was opened for. */
export const PaymentMethodRequest = Type.Object(
  {
    customer_key: Type.String({ minLength: 2, maxLength: 300 }),
    session_proof: Type.String({ minLength: 64, maxLength: 128 }),
    auth_key: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Taken from the address the provider sent the customer back to; valid once',
    }),
  },
  { $id: 'PaymentMethodRequest', ...strict },
);
export type PaymentMethodRequest = Static<typeof PaymentMethodRequest>;

export const PaymentMethodRecord = Type.Object(
  {
    organization_id: Id,
    method: Type.Literal('CARD'),
    card_company: Type.String(),
    masked_card_number: Type.String({ description: 'The last four digits, e.g. `****1234`' }),
    registered_at: KstTime,
  },
  { $id: 'PaymentMethodRecord', ...strict },
);
export type PaymentMethodRecord = Static<typeof PaymentMethodRecord>;

/** What an organization pays for and with. */
export const BillingAccountResponse = Type.Object(
  {
    organization_id: Id,
    subscription: nullable(SubscriptionRecord),
    payment_method: nullable(PaymentMethodRecord),
    offline_profiles: Type.Array(OfflineProfileRecord, {
      description: 'Who gets the tax invoices, for each environment that has a recipient',
    }),
  },
  { $id: 'BillingAccountResponse', ...strict },
);
export type BillingAccountResponse = Static<typeof BillingAccountResponse>;
