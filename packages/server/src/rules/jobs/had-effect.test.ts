import { describe, expect, it } from 'vitest';
import { hadEffect } from './had-effect.ts';

const failed = (code: string) => JSON.stringify({ code });

describe('whether a job changed anything at the institution (D170)', () => {
  it.each([
    ['QUEUED', null, null, 'no'],
    ['RUNNING', null, null, 'no'],
    ['SUCCEEDED', null, null, 'no'],
    ['CANCELED', null, null, 'no'],
    ['FAILED', null, failed('AUTH_REQUIRED'), 'no'],
    ['TIMEOUT', null, failed('JOB_TIMEOUT'), 'no'],
    // As sandbox plays it.
    ['FAILED', null, failed('PROVIDER_OUTCOME_UNCONFIRMED'), 'unknown'],
    ['TIMEOUT', null, failed('PROVIDER_OUTCOME_UNCONFIRMED'), 'unknown'],
    ['RUNNING', 1, null, 'unknown'],
    ['SUCCEEDED', 1, null, 'yes'],
    ['FAILED', 1, failed('PROVIDER_VALIDATION_ERROR'), 'no'],
    ['FAILED', 1, failed('PROVIDER_OUTCOME_UNCONFIRMED'), 'unknown'],
    ['TIMEOUT', 1, failed('PROVIDER_OUTCOME_UNCONFIRMED'), 'unknown'],
    ['FAILED', 1, null, 'unknown'],
  ] as const)(
    '%s, past its point of no return at %s, with %s: %s',
    (status, submitStepAt, error, effect) => {
      expect(hadEffect({ status, submitStepAt, error })).toBe(effect);
    },
  );
});
