import type { Registration } from '@changgu/contract';
import type { ConsentClient } from '../credentials/consent-server.ts';
import type { ConfiguredProvider } from '../identity-providers/configured-provider.ts';
import { type ConfiguredPlan, DEFAULT_PLANS, type PlanLimits } from '../rules/quota/plans.ts';

/** The file that CHANGGU_CONFIG names, in full. */
export interface FileSettings {
  readonly plans: Readonly<Record<string, ConfiguredPlan>>;
  readonly settings: {
    /** Environment-access requests are approved at once. */
    readonly auto_approve: boolean;
    /** Days that real_test stays open after approval; 0 = no deadline. */
    readonly demo_days: number;
    /** Days that a finished job and its result can be read. */
    readonly job_retention_days: number;
    /** Days that events can be read. */
    readonly event_retention_days: number;
    /** Who may register: anyone, only people with an invitation, or no one. */
    readonly registration: Registration;
  };
  /** How this service is registered at institutions with a consent screen, by provider. */
  readonly consentClients: Readonly<Record<string, ConsentClient>>;
  /** Where people of organizations log in, by OpenID Connect. */
  readonly identityProviders: readonly ConfiguredProvider[];
}

const CLOSED: PlanLimits = {
  real_test: { daily: 0, monthly: 0 },
  production: { daily: 0, monthly: 0 },
};

/** Settings without a CHANGGU_CONFIG file. */
export const DEFAULT_SETTINGS: FileSettings = {
  plans: {
    FREE: {
      ...(DEFAULT_PLANS.FREE ?? CLOSED),
      name: 'Free',
      tier: 'FREE',
      price: 0,
      tokenPrice: 0,
    },
    STANDARD: {
      ...(DEFAULT_PLANS.STANDARD ?? CLOSED),
      name: 'Standard',
      tier: 'PAID',
      price: 99_000,
      tokenPrice: 10,
    },
  },
  settings: {
    auto_approve: false,
    demo_days: 30,
    job_retention_days: 30,
    event_retention_days: 30,
    registration: 'open',
  },
  consentClients: {},
  identityProviders: [],
};
