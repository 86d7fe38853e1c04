import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.ts';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

describe('a virtual clock', () => {
  it('lets what follows held work settle before time moves', async () => {
    const clock = new VirtualClock(0);
    const fired: number[] = [];
    void clock
      .hold(turns(10))
      .then(() => turns(2))
      .then(() => clock.setTimeout(() => fired.push(clock.now()), 5));
    await clock.advance(10);
    expect(fired).toEqual([5]);
  });
});
