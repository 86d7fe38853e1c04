import { expect, it } from 'vitest';
import { sameBytes, sameText } from './same-secret.ts';

it('knows the same text from another, also of another length', () => {
  expect(sameText('비밀', '비밀')).toBe(true);
  for (const other of ['', '비', '비밀 ', '비빌']) expect(sameText(other, '비밀')).toBe(false);
});

it('knows the same bytes from others, also of another length', () => {
  const bytes = Uint8Array.of(1, 2);
  expect(sameBytes(Uint8Array.of(1, 2), bytes)).toBe(true);
  for (const other of [[], [1], [1, 3], [1, 2, 0]]) {
    expect(sameBytes(Uint8Array.from(other), bytes)).toBe(false);
  }
});
