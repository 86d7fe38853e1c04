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
  ])('R56 %s', (_, value, status) => {
    expect(statusOf({ account_password: value })).toBe(status);
  });

  it('D34 at most 32 RSA pieces in one request', () => {
    const piece = Buffer.alloc(512).toString('base64');
    const fields = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`f${i}`, piece]));
    expect(statusOf(fields)).toBe(202);
    expect(statusOf({ ...fields, one_more: piece })).toBe(422);
  });

  it('R59 knows the names given twice', () => {
    expect(duplicateNames({ a: 1, b: 2 }, { b: 'x', c: 'y' })).toEqual(['b']);
    expect(duplicateNames({}, { toString: 'x' })).toEqual([]);
  });
});
