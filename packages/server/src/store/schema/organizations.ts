import type { Generated } from 'kysely';

export type SubscriptionStatus = 'ACTIVE' | 'PAUSED' | 'CANCELED' | 'EXPIRED';

/** What a submission needs to know of its organization. Further columns come with the migrations of their areas. */
export interface OrganizationTables {
  organizations: {
    id: Generated<number>;
    name: string;
    created_at: number;
    /** When real_test was approved; null before (D91). */
    real_test_approved_at: number | null;
    /** When real_test closes again; null = no deadline. */
    demo_ends_at: number | null;
    tier: 'FREE' | 'PAID';
    /** Names a plan of the configuration (D40). */
    plan_code: string;
    subscription_status: SubscriptionStatus | null;
    /** The billing period that production tokens are counted in (D39). */
    period_started_at: number | null;
    period_ends_at: number | null;
    /** 1 while a required consent is revoked: no new jobs (D94). */
    consent_blocked: Generated<number>;
  };
}
