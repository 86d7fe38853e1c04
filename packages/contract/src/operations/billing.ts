import { Type } from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { LIMITS } from '../limits.ts';
import { SubscriptionRecord } from '../schemas/admin.ts';
import {
  BillingAccountResponse,
  BillingAuthSessionResponse,
  Invoice,
  InvoiceListResponse,
  InvoiceRecordRequest,
  InvoiceRefundRequest,
  OfflineProfileRecord,
  OfflineProfileRequest,
  PaymentMethodRecord,
  PaymentMethodRequest,
  PlanListResponse,
} from '../schemas/billing.ts';
import { page } from '../schemas/paging.ts';
import { oneOf, strict } from '../schemas/vocabulary.ts';
import { INVOICE_STATUSES } from '../values/invoice-statuses.ts';

const biller = { console_user: 'ADMIN', admin_user: true } as const;
const adminOnly = { admin_user: true } as const;
const Id = Type.Integer({ minimum: 1, maximum: LIMITS.id });
const InvoicePath = Type.Object({ invoice_id: Id });
const OrganizationPath = Type.Object({ organization_id: Id });

export const listInvoices = defineOperation({
  id: 'listInvoices',
  method: 'GET',
  path: '/v1/billing/invoices',
  tag: 'billing',
  summary: 'List invoices, newest first',
  description: 'The environment is taken from X-Env-Scope; the query cannot change it.',
  may: biller,
  environment: 'required',
  query: Type.Object({
    organization_id: Type.Optional(Id),
    subscription_id: Type.Optional(Id),
    status: Type.Optional(Type.Array(oneOf(INVOICE_STATUSES))),
    ...page,
  }),
  responses: { 200: { description: 'One page', schema: InvoiceListResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const readInvoice = defineOperation({
  id: 'readInvoice',
  method: 'GET',
  path: '/v1/billing/invoices/{invoice_id}',
  tag: 'billing',
  summary: 'Get an invoice',
  may: biller,
  environment: 'required',
  params: InvoicePath,
  responses: { 200: { description: 'The invoice', schema: Invoice } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const listPlans = defineOperation({
  id: 'listPlans',
  method: 'GET',
  path: '/v1/billing/plans',
  tag: 'billing',
  summary: 'List the plans',
  may: { client: true, console_user: 'MEMBER', admin_user: true },
  scope: 'jobs:read',
  environment: 'none',
  responses: { 200: { description: 'The plans', schema: PlanListResponse } },
  errors: [],
  addition: true,
});

export const readBillingAccount = defineOperation({
  id: 'readBillingAccount',
  method: 'GET',
  path: '/v1/billing/account',
  tag: 'billing',
  summary: 'Get what the organization pays for and with, and who gets its tax invoices',
  description: 'A missing subscription or card is null or left out, not an error.',
  may: biller,
  environment: 'none',
  query: Type.Object({ organization_id: Type.Optional(Id) }, strict),
  responses: { 200: { description: 'What exists', schema: BillingAccountResponse } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const readSubscription = defineOperation({
  id: 'readSubscription',
  method: 'GET',
  path: '/v1/billing/subscription',
  tag: 'billing',
  summary: 'Get the latest subscription of the organization',
  may: biller,
  environment: 'none',
  query: Type.Object({ organization_id: Type.Optional(Id) }, strict),
  responses: { 200: { description: 'The subscription', schema: SubscriptionRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const readOfflineProfile = defineOperation({
  id: 'readOfflineProfile',
  method: 'GET',
  path: '/v1/billing/offline-profiles/{organization_id}',
  tag: 'billing',
  summary: 'Get the profile for billing outside the payment provider',
  may: biller,
  environment: 'required',
  params: OrganizationPath,
  responses: { 200: { description: 'The profile', schema: OfflineProfileRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const replaceOfflineProfile = defineOperation({
  id: 'replaceOfflineProfile',
  method: 'PUT',
  path: '/v1/billing/offline-profiles/{organization_id}',
  tag: 'billing',
  summary: 'Set the profile for billing outside the payment provider',
  may: biller,
  environment: 'required',
  params: OrganizationPath,
  body: OfflineProfileRequest,
  responses: { 200: { description: 'The profile', schema: OfflineProfileRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const createBillingAuthSession = defineOperation({
  id: 'createBillingAuthSession',
  method: 'POST',
  path: '/v1/billing/auth-sessions',
  tag: 'billing',
  summary: 'Open a session for registering a payment method',
  may: { console_user: 'ADMIN' },
  environment: 'none',
  responses: {
    201: {
      description: 'What the payment widget needs, valid for 30 minutes',
      schema: BillingAuthSessionResponse,
    },
  },
  errors: ['PROVIDER_NOT_CONFIGURED'],
});

export const registerPaymentMethod = defineOperation({
  id: 'registerPaymentMethod',
  method: 'POST',
  path: '/v1/billing/payment-method',
  tag: 'billing',
  summary: 'Register the payment method that a billing-auth session was opened for',
  description:
    'Ends the session: what the provider returned is exchanged for a billing key, which is kept sealed and never shown. Repeating it answers the same and registers nothing twice. It replaces the means of payment registered before, and changes neither plan nor subscription.',
  may: { console_user: 'ADMIN' },
  environment: 'none',
  body: PaymentMethodRequest,
  responses: {
    200: { description: 'Already registered by the same request', schema: PaymentMethodRecord },
    201: { description: 'Registered', schema: PaymentMethodRecord },
  },
  errors: [
    'RESOURCE_NOT_FOUND',
    'CONFLICT_STATE',
    'PROVIDER_CREDENTIAL_REJECTED',
    'PROVIDER_UPSTREAM_ERROR',
    'PROVIDER_NOT_CONFIGURED',
  ],
  addition: true,
});

export const readPaymentMethod = defineOperation({
  id: 'readPaymentMethod',
  method: 'GET',
  path: '/v1/billing/payment-method',
  tag: 'billing',
  summary: "Read the organization's means of payment",
  may: biller,
  environment: 'none',
  query: Type.Object({ organization_id: Type.Optional(Id) }, strict),
  responses: { 200: { description: 'The payment method', schema: PaymentMethodRecord } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

export const recordInvoice = defineOperation({
  id: 'recordInvoice',
  method: 'POST',
  path: '/v1/admin/invoices',
  tag: 'billing',
  summary: 'Record a draft invoice with its items',
  may: adminOnly,
  environment: 'none',
  body: InvoiceRecordRequest,
  responses: { 201: { description: 'The invoice', schema: Invoice } },
  errors: ['RESOURCE_NOT_FOUND'],
  addition: true,
});

/** A state change of an invoice. */
function transition<const Id extends string>(id: Id, verb: string, summary: string) {
  return defineOperation({
    id,
    method: 'POST',
    path: `/v1/admin/invoices/{invoice_id}/${verb}`,
    tag: 'billing',
    summary,
    may: adminOnly,
    environment: 'none',
    params: InvoicePath,
    responses: { 200: { description: 'The invoice', schema: Invoice } },
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
    addition: true,
  });
}

export const openInvoice = transition('openInvoice', 'open', 'Issue a draft invoice');
export const payInvoice = transition('payInvoice', 'pay', 'Mark an invoice paid');
export const voidInvoice = transition('voidInvoice', 'void', 'Void an invoice');
export const markInvoiceUncollectible = transition(
  'markInvoiceUncollectible',
  'uncollectible',
  'Give an open invoice up as uncollectible',
);

export const refundInvoice = defineOperation({
  id: 'refundInvoice',
  method: 'POST',
  path: '/v1/admin/invoices/{invoice_id}/refund',
  tag: 'billing',
  summary: 'Refund a paid invoice, partly or in full',
  may: adminOnly,
  environment: 'none',
  params: InvoicePath,
  body: InvoiceRefundRequest,
  bodyRequired: false,
  responses: { 200: { description: 'The invoice', schema: Invoice } },
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT_STATE'],
  addition: true,
});
