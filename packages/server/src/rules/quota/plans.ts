import type { MembershipTier } from '@changgu/contract/schemas';

/** Usage tokens of one environment; null = no limit. */
export interface TokenLimits {
  readonly daily: number | null;
  readonly monthly: number | null;
}

/** A configured plan. Sandbox is never limited. */
export interface PlanLimits {
  readonly real_test: TokenLimits;
  readonly production: TokenLimits;
}

/** By plan code. An organization on a plan that no longer exists has no tokens at all. */
export type Plans = Readonly<Record<string, PlanLimits>>;

export const DEFAULT_PLANS = {
  FREE: { real_test: { daily: 100, monthly: null }, production: { daily: 0, monthly: 0 } },
  STANDARD: {
    real_test: { daily: 100, monthly: null },
    production: { daily: null, monthly: 10_000 },
  },
} as const satisfies Plans;

/** A plan with its public name and price. */
export interface ConfiguredPlan extends PlanLimits {
  readonly name: string;
  readonly tier: MembershipTier;
  /** Won per month, before tax. */
  readonly price: number;
  /** Won per usage token charged in production, before tax. */
  readonly tokenPrice: number;
}
