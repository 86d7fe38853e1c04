import type { EnvScope, JobState } from '@changgu/contract';
import type { Generated } from 'kysely';

export interface JobTables {
  jobs: {
    /** Order of acceptance. */
    seq: Generated<number>;
    id: string;
    organization_id: number;
    env_scope: EnvScope;
    /** Part of the key's scope: `submit` or `all_accounts`. */
    operation: 'submit' | 'all_accounts';
    idempotency_key: string;
    /** The account of an all-accounts line; the job that another of the same derived key follows; else ''. */
    idempotency_account: string;
    /** Kind and id of the submitter, e.g. `client:cli_…`. */
    submitted_by: string;
    provider: string;
    action: string;
    /** `<action>.vN` of the version pinned at acceptance. */
    result_schema: string;
    product_version_id: number | null;
    account_link_id: string | null;
    bank_account_credential_id: string | null;
    /** `<account_link_id>:<env_scope>`, or null when outside the order. */
    lane: string | null;
    /** JSON as sent. */
    params: string;
    /** Sealed JSON of encrypted_fields; null when none, and from the moment the job ends. */
    encrypted_fields: Uint8Array | null;
    /** Names in encrypted_fields that params also has: the job fails when it runs. */
    duplicate_fields: string | null;
    /** SHA-256 of the canonical request with the resolved link, and without any link. */
    identity_hash: string;
    identity_hash_without_link: string;
    link_was_omitted: number;
    /** `FAILED;code=…` of X-Sandbox-Outcome, sandbox only. */
    sandbox_outcome: string | null;
    /** W3C traceparent of the submission: the run continues its trace. */
    trace_context: string | null;
    /** JSON of the submission's origin when the job may take effect, for the audit row of the effect. */
    submitted_from: string | null;
    status: JobState;
    /** 1 = head of its lane, or without a lane: may be claimed. */
    ready: number;
    ready_at: number | null;
    /** On PostgreSQL: how many jobs of its lane became the head up to this one; null until it does. */
    turn: Generated<number | null>;
    /** The earliest time at which the head of its lane may be claimed; null when nothing holds it back. */
    held_until: number | null;
    /** Jobs ahead of it in its lane when it was accepted; 16 means more than 15. */
    waited_behind: Generated<number>;
    progress: number;
    progress_message: string | null;
    retry_count: number;
    /** How often it was taken over from a lost worker (at most twice). */
    takeovers: number;
    cancel_requested: number;
    /** When the connector first sent a credential: it is never run again automatically. */
    credential_sent_at: number | null;
    /** When the connector passed the point of no return. */
    submit_step_at: number | null;
    lease_owner: string | null;
    /** Real time, never business time. */
    lease_until: number | null;
    timeout_seconds: number;
    queue_deadline_at: number;
    /** Set at the claim; any process enforces it. */
    deadline_at: number | null;
    usage_tokens: number;
    /** The usage rows that were charged, as JSON `["day:2026-11-21","month:2026-11"]`, for refunding tokens. */
    charged_periods: string;
    submitted_at: number;
    started_at: number | null;
    finished_at: number | null;
    /** JSON of JobError. */
    error: string | null;
    /** Sealed JSON of result.data. */
    result: Uint8Array | null;
    /** 1 when the result is a file only. */
    result_as_file: number;
    /** Its end and 30 days, which the purge shifts to the configured retention; 0: at once. */
    purge_at: number | null;
  };
  job_events: {
    seq: Generated<number>;
    job_id: string;
    at: number;
    kind: string;
    message: string | null;
    duration_ms: number | null;
    upstream_status: number | null;
  };
  /** Usage tokens charged per organization, environment and period. */
  usage: {
    organization_id: number;
    env_scope: EnvScope;
    /** `day:2026-11-21` or `month:2026-11`, in Korean time, or `billing:` and the first day of a paid period. */
    period: string;
    used: number;
  };
  /** What an all-accounts key was used for; a different request with it is a conflict. */
  all_accounts_keys: {
    organization_id: number;
    env_scope: EnvScope;
    idempotency_key: string;
    request_hash: string;
    created_at: number;
  };
  /** Circuit breaker of one institution and environment. */
  breakers: {
    provider: string;
    env_scope: Exclude<EnvScope, 'sandbox'>;
    /** JSON: when its latest consecutive jobs failed upstream, oldest first. */
    failures: string;
    /** Set while open. Afterwards one trial job decides. */
    open_until: number | null;
    trial_job_id: string | null;
    /** Until when the institution asked to be left alone; `open_until` is then not earlier. */
    asked_until: Generated<number | null>;
    /** Code of the last failure. */
    last_code: string | null;
  };
}
