import { expect, it } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');

it('takes a cursor exactly as it was given out, and no other spelling of it (D111)', () => {
  // One, two and three digits: the last character has no, four and two bits that a decoder ignores.
  for (const position of [7, 42, 123]) {
    const cursor = encodeCursor(position, 'all');
    expect(decodeCursor(cursor, 'all')).toBe(position);
    const flipped = [...ALPHABET].map((last) => cursor.slice(0, -1) + last);
    const appended = [...ALPHABET, '=', '!', ' '].map((last) => cursor + last);
    for (const other of [...flipped, ...appended]) {
      if (other === cursor) continue;
      expect(() => decodeCursor(other, 'all'), other).toThrow(ServiceError);
    }
  }
});
