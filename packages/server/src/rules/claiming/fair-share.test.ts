import { expect, it } from 'vitest';
import { fairShare } from './fair-share.ts';

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [8, 4],
  [9, 4],
])('of %i slots an organization holds at most half, and at least one: %i (D16)', (slots, share) => {
  expect(fairShare(slots)).toBe(share);
});
