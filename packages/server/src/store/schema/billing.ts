import type { EnvScope } from '@changgu/contract';
import type { Generated } from 'kysely';
import type { InvoiceStatus } from '../../rules/invoices/invoice-states.ts';
import type { InvoiceItemKind } from '../../rules/invoices/invoice-sums.ts';

/** Amounts are integer won. */
export interface BillingTables {
  invoices: {
    id: Generated<number>;
    organization_id: number;
    subscription_id: number | null;
    env_scope: EnvScope;
    invoice_number: string;
    status: InvoiceStatus;
    subtotal_amount: number;
    tax_amount: number;
    total_amount: number;
    refunded_amount: Generated<number>;
    period_start: number | null;
    period_end: number | null;
    issued_at: number | null;
    due_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
    /** `2026-11` on a usage invoice: one per organization, environment and month. */
    usage_month: string | null;
    created_at: number;
  };
  invoice_items: {
    id: Generated<number>;
    invoice_id: number;
    description: string;
    quantity: number;
    unit_amount: number;
    amount: number;
    item_kind: InvoiceItemKind;
    period_start: number | null;
    period_end: number | null;
  };
  payment_methods: {
    id: Generated<number>;
    organization_id: number;
    /** The billing-auth session that registered it; each is used once. */
    customer_key: string;
    /** SHA-256 of customer and auth key, to recognize a repeated request. */
    auth_key_hash: string;
    /** Sealed; null once replaced. */
    billing_key: Uint8Array | null;
    card_company: string;
    last_four: string;
    registered_at: number;
    /** Null for the current one: at most one per organization. */
    replaced_at: Generated<number | null>;
  };
  offline_profiles: {
    organization_id: number;
    env_scope: EnvScope;
    company_name: string;
    business_number: string;
    tax_email: string;
    payment_terms_days: number;
    updated_at: number;
  };
}
