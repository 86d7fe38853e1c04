import { describe, expect, it } from 'vitest';
import { ServiceError } from '../service-error.ts';
import { checkEncryptedFields, duplicateNames } from './encrypted-fields.ts';

function statusOf(fields: Record<string, string>): number {
  try {
    checkEncryptedFields(fields);
    return 202;
  } catch (error) {
    if (error instanceof ServiceError) return error.status;
    throw error;
  }
}

describe('encrypted fields', () => {
  it.each([
    ['16 base64 characters', 'abcdefghijklmnop', 202],
    ['15 base64 characters', 'abcdefghijklmno', 400],
    ['a character outside the alphabet', 'abc!defghijklmnop', 400],
    ['the url-safe alphabet', 'abc-defghijklmn_', 400],
    ['a line break', 'abcdefghijklmnop\n', 400],
    ['an inner =', 'abcdefgh=ijklmnop', 400],
    ['nothing', '', 400],
    ['more than 64 KiB', 'a'.repeat(64 * 1024 + 4), 422],
  ])('refuses %s (R56)', (_, value, status) => {
    expect(statusOf({ account_password: value })).toBe(status);
  });

  it('allows at most 32 RSA blocks in one request (D34)', () => {
    const piece = Buffer.alloc(512).toString('base64');
    const fields = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`f${i}`, piece]));
    expect(statusOf(fields)).toBe(202);
    expect(statusOf({ ...fields, one_more: piece })).toBe(422);
  });

  it('finds names that are given twice (R59)', () => {
    expect(duplicateNames({ a: 1, b: 2 }, { b: 'x', c: 'y' })).toEqual(['b']);
    expect(duplicateNames({}, { toString: 'x' })).toEqual([]);
  });
});
