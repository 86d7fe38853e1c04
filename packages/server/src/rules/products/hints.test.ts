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
])('D120 %s decides a policy, wherever it stands', (key) => {
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

it('D120 other names and values decide nothing', () => {
  const hints = { pricing_hint: { plan_name: 'quota', note: ['price'] }, metadata: { limits: 1 } };
  expect(() => checkHints(hints, ['body'])).not.toThrow();
});
