import { describe, expect, it } from 'vitest';
import { maskNumbers } from './masking.ts';

describe('numbers in texts of other people', () => {
  it.each([
    ['입금자 901010-1234567', '입금자 ******-*******'],
    ['901010 1234567', '******-*******'],
    ['901010 - 1234567', '******-*******'],
    ['9010101234567', '******-*******'],
    ['계좌 110-123-456789', '계좌 ****6789'],
    ['계좌 110 123 456789', '계좌 ****6789'],
    ['계좌 110 - 123 - 456789', '계좌 ****6789'],
    ['4000 1234 5678 9010', '****9010'],
    ['110123456789', '****6789'],
  ])('%s is shown as %s', (text, shown) => {
    expect(maskNumbers(text)).toBe(shown);
  });

  it.each([
    '2026-11-22 18:02',
    '1,250,000원',
    '제2026-13호',
    '02-123-4567',
    '2026-11-01 2026-11-30',
  ])('%s stays as it is', (text) => {
    expect(maskNumbers(text)).toBe(text);
  });
});
