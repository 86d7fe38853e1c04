import { describe, expect, it } from 'vitest';
import { assertParamsSize } from './params-size.ts';

describe('the size of params (D166)', () => {
  it('is 64 KiB as JSON, counted in bytes', () => {
    const frame = '{"a":""}'.length;
    expect(() => assertParamsSize({ a: 'x'.repeat(64 * 1024 - frame) })).not.toThrow();
    expect(() => assertParamsSize({ a: 'x'.repeat(64 * 1024 - frame + 1) })).toThrow();
    expect(() => assertParamsSize({ a: '가'.repeat(22_000) })).toThrow();
  });

  it('is 1,000 members and elements, at all levels together', () => {
    expect(() => assertParamsSize({ a: Array(999).fill(1) })).not.toThrow();
    expect(() => assertParamsSize({ a: Array(1_000).fill(1) })).toThrow();
    expect(() => assertParamsSize({ a: { b: Array(500).fill([]) }, c: Array(500) })).toThrow();
  });
});
