import { describe, expect, it } from 'vitest';
import { type ApiErrorCode, createApiError } from './api-error.ts';
import { ConfigurationError, TimeoutError } from './transport-errors.ts';

const DETAILS = {
  status: 409,
  code: 'IDEMPOTENCY_KEY_CONFLICT',
  message: 'm',
  retryable: false,
  fields: [],
  providerErrorRef: null,
  upstreamStatus: null,
  jobId: null,
  retryAfterMs: null,
  traceId: null,
} as const;

describe('the next step of an error', () => {
  it('is the one of the service for what the service refused', () => {
    const { nextStep } = createApiError(DETAILS);
    expect(nextStep).toMatchObject({
      kind: 'new_key',
      en: expect.stringContaining('idempotencyKey'),
    });
    // A newer service may send this.
    const newer = 'NEWER' as ApiErrorCode;
    expect(createApiError({ ...DETAILS, code: newer }).nextStep.kind).toBe('contact_operator');
  });

  it('is the own one of the SDK for what went wrong on this side', () => {
    expect(new ConfigurationError('baseUrl').nextStep.kind).toBe('fix_input');
    expect(new TimeoutError('total', 1).nextStepIn({ key: 'request_id' })).toMatchObject({
      kind: 'wait_and_retry',
      en: 'Repeat the call with the same request_id. It is not submitted twice.',
    });
  });
});
