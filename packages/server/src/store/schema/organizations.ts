import type { EnvScope } from '@changgu/contract';
import type { MembershipTier, SubscriptionStatus } from '@changgu/contract/schemas';
import type { Generated } from 'kysely';

/** What a submission needs to know about its organization. Other areas' migrations add columns. */
export interface OrganizationTables {
  organizations: {
    id: Generated<number>;
    name: string;
    created_at: number;
    /** When real_test was approved; null before. */
    real_test_approved_at: number | null;
    /** When real_test closes again; null = no deadline. */
    demo_ends_at: number | null;
    tier: MembershipTier;
    /** The name of a configured plan. */
    plan_code: string;
    subscription_status: SubscriptionStatus | null;
    /** The billing period in which production tokens are counted. */
    period_started_at: number | null;
    period_ends_at: number | null;
    /** 1 while a required consent is revoked: no new jobs. */
    consent_blocked: Generated<number>;
    /** Ten digits; null when none was given. */
    business_number: string | null;
    /** Set when its last owner was deleted: none of its credentials works any longer. */
    deleted_at: number | null;
    /** 1: members without a second factor can only add one. */
    factor_required: Generated<number>;
    /** Since when an operator has disabled it, so that none of its credentials works. */
    disabled_at: number | null;
  };
  /** Open and ended subscriptions; the organization's row also stores the open one. */
  subscriptions: {
    id: Generated<number>;
    organization_id: number;
    plan_code: string;
    status: SubscriptionStatus;
    env_scope: EnvScope;
    current_period_start: number;
    current_period_end: number;
    /** 1: another period follows. */
    renews: Generated<number>;
    /** When the first of its periods began, if that was after a pause and not when it was created. */
    resumed_at: number | null;
    canceled_at: number | null;
    created_at: number;
  };
}
