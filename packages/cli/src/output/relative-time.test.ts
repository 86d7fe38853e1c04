import { expect, it } from 'vitest';
import { relativeTime } from './relative-time.ts';

const NOW = Date.parse('2026-11-27T10:00:00+09:00');

it.each([
  ['2026-11-30T09:59:59+09:00', 'in 2 days', '2일 후'],
  ['2026-11-29T09:00:00+09:00', 'in 1 day', '1일 후'],
  ['2026-11-25T11:00:00+09:00', '1 day ago', '1일 전'],
  ['2026-11-27T07:00:00+09:00', '3 hours ago', '3시간 전'],
  ['2026-11-27T10:00:30+09:00', 'now', '지금'],
])('%s is counted in whole days, not named by a day of the calendar', (time, en, ko) => {
  const at = Date.parse(time);
  expect([relativeTime(at, NOW, 'en'), relativeTime(at, NOW, 'ko')]).toEqual([en, ko]);
});
