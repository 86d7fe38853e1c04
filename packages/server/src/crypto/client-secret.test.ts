import { describe, expect, it } from 'vitest';
import {
  generateClientSecret,
  hashClientSecret,
  mayBeClientSecret,
  verifyClientSecret,
} from './client-secret.ts';

describe('client secrets (D65)', () => {
  it('are a prefix that scanners know, 43 random base64url characters and a checksum', () => {
    const secrets = Array.from({ length: 50 }, generateClientSecret);
    for (const secret of secrets) expect(secret).toMatch(/^cgs_[A-Za-z0-9_-]{43}[0-9a-z]{7}$/);
    expect(new Set(secrets).size).toBe(50);
  });

  it('are told from texts that only look like one by the checksum', () => {
    const secret = generateClientSecret();
    expect(mayBeClientSecret(secret)).toBe(true);
    const typo = secret.replace(/.(?=.{8}$)/, (last) => (last === 'a' ? 'b' : 'a'));
    expect(mayBeClientSecret(typo)).toBe(false);
    expect(mayBeClientSecret('cgs_')).toBe(false);
    // From before they had this form.
    expect(mayBeClientSecret('a'.repeat(43))).toBe(true);
  });

  it('are kept as SHA-256', () => {
    expect(hashClientSecret('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('match only their own hash, and never that of an unknown client', () => {
    const secret = generateClientSecret();
    const hash = hashClientSecret(secret);
    expect(verifyClientSecret(secret, hash)).toBe(true);
    expect(verifyClientSecret(`${secret}x`, hash)).toBe(false);
    expect(verifyClientSecret('', hash)).toBe(false);
    expect(verifyClientSecret(secret, null)).toBe(false);
  });
});
