import { describe, expect, it } from 'vitest';
import { institutionAddresses } from './addresses.ts';

const simulated = {
  has: (provider: string) => provider === 'bank_a',
  urlOf: async () => 'http://sim',
};

describe('institution addresses (D141)', () => {
  const addresses = institutionAddresses(
    { real_test: { bank_b: 'http://demo' }, production: { bank_b: 'https://bank' } },
    simulated,
  );

  it('takes the configured one, else the simulated one', async () => {
    expect(await addresses.urlOf('real_test', 'bank_b')).toBe('http://demo');
    expect(await addresses.urlOf('real_test', 'bank_a')).toBe('http://sim');
  });

  it('never simulates production', async () => {
    expect(addresses.has('production', 'bank_a')).toBe(false);
    await expect(addresses.urlOf('production', 'bank_a')).rejects.toMatchObject({
      code: 'PROVIDER_NOT_CONFIGURED',
    });
  });

  it('tells the origins of both environments, and none of a simulated institution (D160)', () => {
    expect(addresses.origins('bank_b')).toEqual({
      production: 'https://bank',
      realTest: 'http://demo',
    });
    expect(addresses.origins('bank_a')).toEqual({ production: null, realTest: null });
  });

  it('sandbox contacts no institution and needs no address', () => {
    expect(addresses.has('sandbox', 'anything')).toBe(true);
  });
});
