import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveMasterKey } from './master-keys/master-key.ts';
import { createUrlSigner, type UrlSigningKey } from './signed-url.ts';

const ARTIFACT = 'art_01JD0000000000000000000000';
const NOW = Date.UTC(2026, 10, 21, 1, 2, 3);
const MINUTE = 60_000;

const key = keyOf(1);
const signer = createUrlSigner(() => [key]);

function keyOf(fill: number): UrlSigningKey {
  const master = deriveMasterKey(new Uint8Array(32).fill(fill));
  return { id: master.id, secret: master.urlSigningKey };
}

describe('signed URLs live 15 minutes (R40)', () => {
  it.each([
    ['at once', 0, true],
    ['at 14:59', 14 * MINUTE + 59_000, true],
    ['at 15:00', 15 * MINUTE, false],
    ['at 15:01', 15 * MINUTE + 1_000, false],
  ])('%s', (_, later, valid) => {
    const query = signer.sign(ARTIFACT, NOW);
    expect(query.exp).toBe(String(NOW / 1_000 + 900));
    expect(signer.verify(ARTIFACT, query, NOW + later)).toBe(valid);
  });
});

describe('the signature covers id, expiry and key (D67)', () => {
  const query = signer.sign(ARTIFACT, NOW);

  it('another artifact is refused', () => {
    expect(signer.verify(`${ARTIFACT.slice(0, -1)}1`, query, NOW)).toBe(false);
  });

  it('a later expiry is refused', () => {
    const exp = String(Number(query.exp) + 1);
    expect(signer.verify(ARTIFACT, { ...query, exp }, NOW)).toBe(false);
  });

  it('any changed character of the signature is refused', () => {
    fc.assert(
      fc.property(fc.nat(63), fc.nat(15), (at, nibble) => {
        const digit = nibble.toString(16);
        fc.pre(query.sig[at] !== digit);
        const sig = query.sig.slice(0, at) + digit + query.sig.slice(at + 1);
        expect(signer.verify(ARTIFACT, { ...query, sig }, NOW)).toBe(false);
      }),
    );
  });

  it.each([
    { exp: '', sig: '' },
    { exp: query.exp, sig: query.sig.toUpperCase() },
    { exp: query.exp, sig: query.sig.slice(2) },
    { exp: query.exp, sig: `${query.sig}00` },
    { exp: `0${query.exp}`, sig: query.sig },
    { exp: `${query.exp}.0`, sig: query.sig },
    { exp: 'Infinity', sig: query.sig },
  ])('$exp with $sig is refused', (changed) => {
    expect(signer.verify(ARTIFACT, changed, NOW)).toBe(false);
  });

  it('the same secret under another id is refused', () => {
    const renamed = createUrlSigner(() => [{ ...key, id: 'other' }]);
    expect(renamed.verify(ARTIFACT, query, NOW)).toBe(false);
  });

  it('a URL of the previous key still works, one of a dropped key does not', () => {
    expect(createUrlSigner(() => [keyOf(2), key]).verify(ARTIFACT, query, NOW)).toBe(true);
    expect(createUrlSigner(() => [keyOf(2)]).verify(ARTIFACT, query, NOW)).toBe(false);
  });
});
