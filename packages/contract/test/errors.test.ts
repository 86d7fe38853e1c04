import { describe, expect, it } from 'vitest';
import { NEXT_STEP_TERMS } from '../src/errors/next-step.ts';
import { nextStepOf } from '../src/errors/next-step-of.ts';
import { ERRORS, type ErrorDefinition } from '../src/errors.ts';

const table: Readonly<Record<string, ErrorDefinition>> = ERRORS;

/** HTTP status of every code (D47 to D53, D141, D148); null for codes that appear only in a job or a tool. */
const STATUS: Readonly<Record<string, number | null>> = {
  VALIDATION_INVALID_FIELD: 422,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  IDEMPOTENCY_KEY_CONFLICT: 409,
  POLICY_QUOTA_EXCEEDED: 429,
  POLICY_PAID_REQUIRED: 402,
  POLICY_ENV_NOT_ALLOWED: 403,
  POLICY_ENV_NOT_APPROVED: 403,
  POLICY_CONSENT_REQUIRED: 403,
  POLICY_LIMIT_REACHED: 409,
  BANK_ACCOUNT_CREDENTIAL_NOT_FOUND: 404,
  BANK_ACCOUNT_PARENT_NOT_FOUND: 404,
  REVOKED_REASON_MISSING: 400,
  REVOKED_REASON_FORBIDDEN: 403,
  AUTH_INVALID_CREDENTIALS: 401,
  AUTH_FORBIDDEN_PRINCIPAL: 403,
  AUTH_REQUIRED: 409,
  PROVIDER_AUTH_FAILED: 409,
  PROVIDER_SESSION_EXPIRED: 409,
  PROVIDER_VALIDATION_ERROR: 422,
  PROVIDER_UPSTREAM_ERROR: 502,
  PROVIDER_OUTCOME_UNCONFIRMED: 502,
  PROVIDER_CREDENTIAL_REJECTED: 409,
  PROVIDER_ACCOUNT_LOCKED: 409,
  PROVIDER_MAINTENANCE: 503,
  PROVIDER_NOT_CONFIGURED: 503,
  EMPLOYMENT_LOGIN_FAILED: null,
  EMPLOYMENT_SESSION_SAVE_FAILED: null,
  JOB_NOT_FOUND: 404,
  JOB_NOT_SUCCEEDED: 409,
  JOB_ALREADY_FINISHED: 409,
  JOB_NOT_CANCELABLE: 409,
  JOB_TIMEOUT: 504,
  JOB_WORKER_LOST: 503,
  JOB_CANCELED: null,
  ARTIFACT_NOT_FOUND: 404,
  ARTIFACT_EXPIRED: 410,
  ARTIFACT_URL_EXPIRED: 403,
  ACCOUNT_LINK_REQUIRED: 400,
  ACCOUNT_LINK_NOT_FOUND: 404,
  CREDENTIAL_CONFIRM_REQUIRED: 409,
  CREDENTIAL_INVALID: 422,
  CONSENT_STATE_INVALID: 400,
  CONSENT_REQUIRED: 400,
  HANDOFF_TOKEN_INVALID: 400,
  REGISTRATION_CLOSED: 403,
  EMAIL_ALREADY_REGISTERED: 409,
  PASSWORD_POLICY: 400,
  PASSWORD_MISMATCH: 400,
  DELETION_REQUEST_EXISTS: 409,
  PRODUCT_RETIRED: 410,
  RESOURCE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  CONFLICT_DUPLICATE: 409,
  ENCRYPTED_FIELD_DECRYPT_FAILED: null,
  ENCRYPTED_FIELD_DUPLICATE: null,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
};

/** Codes that may be retried (D51, D52). JOB_NOT_SUCCEEDED depends on the job's state, and its row says no. */
const RETRYABLE = [
  'AUTH_PROVIDER_UNAVAILABLE',
  'AUTH_REQUIRED',
  'EMPLOYMENT_LOGIN_FAILED',
  'EMPLOYMENT_SESSION_SAVE_FAILED',
  'INTERNAL_ERROR',
  'JOB_CANCELED',
  'JOB_TIMEOUT',
  'JOB_WORKER_LOST',
  'POLICY_QUOTA_EXCEEDED',
  'PROVIDER_AUTH_FAILED',
  'PROVIDER_MAINTENANCE',
  'PROVIDER_SESSION_EXPIRED',
  'PROVIDER_UPSTREAM_ERROR',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
];

describe('the error table', () => {
  it('has every code of the specification and the decisions, with its status (D53)', () => {
    const statuses = Object.fromEntries(
      Object.keys(STATUS).map((code) => [code, table[code]?.status]),
    );
    expect(statuses).toEqual(STATUS);
  });

  it('marks as retryable exactly what may be tried again (D51)', () => {
    const retryable = Object.keys(table).filter((code) => table[code]?.retryable);
    expect(retryable.sort()).toEqual(RETRYABLE);
  });

  it('a code that answers requests has a status, one that never does has none (D148)', () => {
    for (const [code, { status, where }] of Object.entries(table)) {
      expect(where.length, code).toBeGreaterThan(0);
      expect(status !== null, code).toBe(where.includes('http'));
    }
  });

  it('speaks Korean and English (D56)', () => {
    for (const [code, { ko, en }] of Object.entries(table)) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
      expect(ko, code).toMatch(/[가-힣].*\.$/);
      expect(en, code).toMatch(/^[ -~]+\.$/);
    }
  });

  it('says for every code what to do, in both languages and in the words of every surface', () => {
    for (const [code, { retryable }] of Object.entries(table)) {
      for (const terms of Object.values(NEXT_STEP_TERMS)) {
        const { ko, en } = nextStepOf({ code, retryable }, terms);
        expect(ko, code).toMatch(/^[^{}]*[가-힣][^{}]*십시오\.$/);
        expect(en, code).toMatch(/^[A-Z][ -z]+\.$/);
      }
    }
  });

  it('says in a message what happened, and leaves what to do to the next step', () => {
    for (const [code, { ko, en }] of Object.entries(table)) {
      expect(ko, code).not.toMatch(/십시오/);
      expect(en, code).not.toMatch(/\. [A-Z]|first\.|[Tt]ry again/);
    }
  });
});

describe('the next step', () => {
  it('names the login and the key as the surface does', () => {
    const code = 'PROVIDER_SESSION_EXPIRED';
    const terms = { ...NEXT_STEP_TERMS.tool, login: 'tax_portal__s1__login' };
    expect(nextStepOf({ code, retryable: true }, terms).en).toBe(
      "Run the institution's login action (tax_portal__s1__login) with the same account_link_id, then submit again with a new request_id.",
    );
    expect(nextStepOf({ code, retryable: true }, NEXT_STEP_TERMS.http).ko).toBe(
      '같은 account_link_id로 기관 로그인 업무를 먼저 실행한 뒤, 새 Idempotency-Key로 다시 제출하십시오.',
    );
  });

  it('never says to repeat what an irreversible action may have done', () => {
    for (const [code, { nextStep }] of Object.entries(table)) {
      const said = nextStepOf({ code, retryable: false }, NEXT_STEP_TERMS.http).kind;
      expect(said, code).not.toMatch(/^wait/);
      if (!nextStep.kind.startsWith('wait')) expect(said, code).toBe(nextStep.kind);
    }
  });

  it('follows what the job did, where that is known', () => {
    const kindOf = (hadEffect: 'no' | 'unknown', code = 'PROVIDER_UPSTREAM_ERROR') =>
      nextStepOf({ code, retryable: false, hadEffect }, NEXT_STEP_TERMS.http).kind;
    expect(kindOf('no')).toBe('wait_and_retry');
    expect(kindOf('unknown')).toBe('check_institution');
    expect(kindOf('unknown', 'JOB_CANCELED')).toBe('check_institution');
    expect(kindOf('unknown', 'NEWER_CODE')).toBe('check_institution');
  });

  it('is there for a code of a newer service or of a proxy, too', () => {
    const step = (hadEffect?: 'no') =>
      nextStepOf({ code: 'NEWER_CODE', retryable: true, hadEffect }, NEXT_STEP_TERMS.sdk);
    expect([step().kind, step('no').kind]).toEqual(['wait_and_retry', 'wait_and_retry']);
    // Of a request that may have been accepted, another key could make a second job.
    expect(step().en).toContain('with the same idempotencyKey');
    expect(step('no').en).toContain('with a new idempotencyKey');
    expect(nextStepOf({ code: 'NEWER_CODE', retryable: false }, NEXT_STEP_TERMS.sdk).kind).toBe(
      'contact_operator',
    );
  });
});
