import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

const MEBIBYTE = 1_048_576;

function youngMebibytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return (young?.space_size ?? Number.NaN) / MEBIBYTE;
}

it('returns the room for young objects that a start needed', () => {
  const survivors: number[][] = [];
  while (youngMebibytes() < 4) {
    for (let n = 0; n < 100_000; n += 1) survivors.push([n, n, n, n]);
  }
  survivors.length = 0;
  collectGarbage();
  expect(youngMebibytes()).toBeLessThanOrEqual(1);
});
