import type { ConsentType, ReissueReason, RequestDecision } from '@changgu/contract/schemas';
import type { Generated } from 'kysely';

/** People's consents and requests. */
export interface RequestTables {
  /** Append-only. */
  consents: {
    id: Generated<number>;
    organization_id: number;
    user_id: number;
    consent_type: ConsentType;
    action: 'GRANT' | 'REVOKE';
    recorded_at: number;
  };
  deletion_requests: {
    /** UUID v4. */
    id: string;
    user_id: number;
    status: 'PENDING' | 'CANCELED' | 'EXECUTED';
    reason_text: string | null;
    requested_at: number;
    scheduled_at: number;
    canceled_at: number | null;
    cancel_reason: string | null;
    executed_at: number | null;
  };
  env_access_requests: {
    id: Generated<number>;
    organization_id: number;
    user_id: number;
    reason_text: string | null;
    status: 'PENDING' | RequestDecision;
    created_at: number;
    decided_at: number | null;
    note: string | null;
  };
  integrator_applications: {
    id: Generated<number>;
    organization_id: number;
    user_id: number;
    company_name: string;
    contact_email: string;
    use_case_text: string | null;
    expected_customer_count: number | null;
    requested_plan_code: string | null;
    reissue_reason: ReissueReason | null;
    revoke_client_id: string | null;
    status: 'SUBMITTED' | RequestDecision;
    submitted_at: number;
    decided_at: number | null;
    note: string | null;
  };
  handoff_tokens: {
    /** SHA-256 of the token. */
    token_hash: string;
    application_id: number;
    created_at: number;
    expires_at: number;
    used_at: number | null;
    /** The key for which it was exchanged. */
    client_id: string | null;
  };
}
