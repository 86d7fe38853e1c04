import type { ConfiguredPlan } from '../quota/plans.ts';
import type { NewInvoice } from './new-invoice.ts';

/** Korean value-added tax, in tenths of the subtotal. */
const VAT_PERCENT = 10;

export interface ChargedMonth {
  readonly organizationId: number;
  /** The subscription that was open in the month, if any. */
  readonly subscriptionId: number | null;
  readonly planCode: string;
  /** Tokens charged in production. */
  readonly tokens: number;
}

export interface BilledMonth {
  /** `2026-11`, Korean calendar. */
  readonly month: string;
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A month's draft invoice: the plan, and every token charged in production. */
export function usageInvoice(
  { organizationId, subscriptionId, tokens }: ChargedMonth,
  plan: Pick<ConfiguredPlan, 'name' | 'price' | 'tokenPrice'>,
  { month, start, end }: BilledMonth,
): NewInvoice {
  const period = { period_start: start, period_end: end };
  const subscription = {
    description: `${plan.name} 요금제 ${month}`,
    quantity: 1,
    unit_amount: plan.price,
    amount: plan.price,
    item_kind: 'SUBSCRIPTION' as const,
    ...period,
  };
  const usage = {
    description: `사용 토큰 ${month}`,
    quantity: tokens,
    unit_amount: plan.tokenPrice,
    amount: tokens * plan.tokenPrice,
    item_kind: 'USAGE' as const,
    ...period,
  };
  const items = subscriptionId === null ? [usage] : [subscription, usage];
  const subtotal = items.reduce((sum, { amount }) => sum + amount, 0);
  return {
    organizationId,
    subscriptionId,
    envScope: 'production',
    subtotal,
    tax: Math.floor((subtotal * VAT_PERCENT) / 100),
    periodStart: start,
    periodEnd: end,
    dueAt: null,
    createdAt: null,
    usageMonth: month,
    items,
  };
}
