import { expect, it } from 'vitest';
import { checkHints } from './hints.ts';

it.each([
  'usage_tokens',
  'quota',
  'limit',
  'plan',
  'tier',
  'env_scope',
  'allowed_env_scopes',
  'price',
  'paid_only',
  'irreversible',
])('%s decides a policy, wherever it stands (D120)', (key) => {
  const violation = (hints: object, loc: readonly unknown[]) =>
    expect(() => checkHints(hints, ['body'])).toThrow(
      expect.objectContaining({
        status: 400,
        details: { fields: [expect.objectContaining({ loc })] },
      }),
    );
  violation({ metadata: { [key]: null } }, ['body', 'metadata', key]);
  violation({ rate_limit_hint: { a: [0, { [key]: 1 }] } }, [
    'body',
    'rate_limit_hint',
    'a',
    1,
    key,
  ]);
});

it('accepts other names and values (D120)', () => {
  const hints = { pricing_hint: { plan_name: 'quota', note: ['price'] }, metadata: { limits: 1 } };
  expect(() => checkHints(hints, ['body'])).not.toThrow();
});
