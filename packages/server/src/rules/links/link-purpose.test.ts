import { describe, expect, it } from 'vitest';
import { defaultPurpose, purposeOf, scopesOfSite, serves, sharesOrigin } from './link-purpose.ts';

const REAL = 'https://bank.example';
const TEST = 'https://test.bank.example';

describe('the purpose of links', () => {
  it.each([
    ['sandbox', REAL, TEST, null],
    ['production', REAL, TEST, 'real'],
    ['real_test', REAL, TEST, 'test'],
    ['real_test', null, TEST, 'test'],
    ['real_test', REAL, REAL, 'real'],
    ['real_test', REAL, null, 'test'],
  ] as const)(
    '%s with production at %s and real_test at %s takes %s links (D160)',
    (env, production, realTest, purpose) => {
      expect(purposeOf(env, { production, realTest })).toBe(purpose);
    },
  );

  it('is test by default where production has no address (D160)', () => {
    expect(defaultPurpose({ production: null, realTest: TEST })).toBe('test');
    expect(defaultPurpose({ production: REAL, realTest: TEST })).toBe('real');
  });

  it('keeps real and test apart, and neither from sandbox (D160)', () => {
    expect(serves('real', 'test')).toBe(false);
    expect(serves('test', 'real')).toBe(false);
    expect(serves('real', 'real')).toBe(true);
    expect(serves('real', null)).toBe(true);
  });

  it('shares a site only where both addresses are the same (D160)', () => {
    expect(scopesOfSite('real_test', { production: REAL, realTest: REAL })).toEqual([
      'production',
      'real_test',
    ]);
    expect(scopesOfSite('real_test', { production: REAL, realTest: null })).toEqual(['real_test']);
    expect(sharesOrigin({ production: null, realTest: null })).toBe(false);
    expect(sharesOrigin({ production: REAL, realTest: REAL })).toBe(true);
  });
});
