import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityWithLink, identityWithoutLink, type RequestIdentity } from './request-identity.ts';

const request: RequestIdentity = {
  provider: 'bank_b',
  action: 'bank_b.accounts.list',
  params: { from: '20260101', nested: { a: 1, b: [1, 2] } },
  encryptedFields: { account_password: 'abcdefghijklmnop' },
};

describe('request identity', () => {
  it.each<[string, Partial<RequestIdentity>]>([
    ['provider', { provider: 'bank_c' }],
    ['action', { action: 'bank_b.accounts.other' }],
    ['params', { params: { ...request.params, from: '20260102' } }],
    ['a number written as text', { params: { ...request.params, nested: { a: '1', b: [1, 2] } } }],
    ['the order of an array', { params: { ...request.params, nested: { a: 1, b: [2, 1] } } }],
    ['encrypted fields (R11)', { encryptedFields: { account_password: 'abcdefghijklmnoq' } }],
  ])('changes with %s (R6)', (_, change) => {
    const changed = identityWithoutLink({ ...request, ...change });
    const original = identityWithoutLink(request);
    expect(changed).not.toBe(original);
    expect(identityWithLink(changed, 'x')).not.toBe(identityWithLink(original, 'x'));
  });

  it('changes with the link (R6)', () => {
    const hash = identityWithoutLink(request);
    const hashes = ['x', 'y', null].map((link) => identityWithLink(hash, link));
    expect(new Set([hash, ...hashes]).size).toBe(4);
  });

  it('does not change with the order of names or the notation of numbers (R14)', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: true }), {
      maxKeys: 6,
    });
    fc.assert(
      fc.property(object, (params) => {
        const reversed = Object.fromEntries(Object.entries(params).reverse());
        expect(identityWithoutLink({ ...request, params: reversed })).toBe(
          identityWithoutLink({ ...request, params }),
        );
      }),
    );
    const hash = (json: string) => identityWithoutLink({ ...request, params: JSON.parse(json) });
    expect(hash('{"n":1.0,"m":1e3}')).toBe(hash('{"m":1000,"n":1}'));
  });

  it('refuses strings that are not valid Unicode', () => {
    expect(() => identityWithoutLink({ ...request, params: { a: '\ud800' } })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_INVALID_FIELD', status: 400 }),
    );
  });
});
