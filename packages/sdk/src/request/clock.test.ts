import { expect, it } from 'vitest';
import { systemClock } from './clock.ts';

it('the clock tells whole milliseconds, because errors name what is left of a limit', () => {
  const times = Array.from({ length: 100 }, () => systemClock.now());
  expect(times.filter((time) => !Number.isInteger(time))).toEqual([]);
});
