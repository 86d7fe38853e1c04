import type { EnvScope } from '@changgu/contract';
import type { SubscriptionStatus } from '@changgu/contract/schemas';
import type { Generated } from 'kysely';

/** What a submission needs to know of its organization. Further columns come with the migrations of their areas. */
export interface OrganizationTables {
  organizations: {
    id: Generated<number>;
    name: string;
    created_at: number;
    /** When real_test was approved; null before. */
    real_test_approved_at: number | null;
    /** When real_test closes again; null = no deadline. */
    demo_ends_at: number | null;
    tier: 'FREE' | 'PAID';
    /** Names a plan of the configuration. */
    plan_code: string;
    subscription_status: SubscriptionStatus | null;
    /** The billing period that production tokens are counted in. */
    period_started_at: number | null;
    period_ends_at: number | null;
    /** 1 while a required consent is revoked: no new jobs. */
    consent_blocked: Generated<number>;
    /** Ten digits; null when none was given. */
    business_number: string | null;
    /** Set when its last owner was deleted: nothing authenticates for it any more. */
    deleted_at: number | null;
    /** 1: members without a second factor can only add one. */
    factor_required: Generated<number>;
    /** Since when an operator has switched it off: nothing authenticates for it. */
    disabled_at: number | null;
  };
  /** Open subscriptions and those that ended; the open one also stands on the organization. */
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
    canceled_at: number | null;
    created_at: number;
  };
}
