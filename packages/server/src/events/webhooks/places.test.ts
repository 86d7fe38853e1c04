import { describe, expect, it } from 'vitest';
import { createPlaces } from './places.ts';

const SLOW = 1;
const OTHER = 2;

describe('places for requests to endpoints', () => {
  it('go next to the organization that holds the fewest, however long the line of another is', async () => {
    const places = createPlaces(2);
    const [leaveFirst, leaveSecond] = await Promise.all([places.enter(SLOW), places.enter(SLOW)]);
    const order: number[] = [];
    const enter = async (organizationId: number) => {
      const leave = await places.enter(organizationId);
      order.push(organizationId);
      return leave;
    };
    const slow = [enter(SLOW), enter(SLOW), enter(SLOW)];
    const other = enter(OTHER);
    leaveFirst();
    const leaveOther = await other;
    expect(order).toEqual([OTHER]);
    leaveSecond();
    const leaveThird = await slow[0];
    leaveOther();
    await slow[1];
    leaveThird?.();
    await slow[2];
    expect(order).toEqual([OTHER, SLOW, SLOW, SLOW]);
  });

  it('are free again when all have left', async () => {
    const places = createPlaces(1);
    (await places.enter(SLOW))();
    const waiting = [places.enter(SLOW), places.enter(OTHER)];
    for (const each of waiting) (await each)();
    (await places.enter(OTHER))();
    await expect(places.enter(SLOW)).resolves.toBeTypeOf('function');
  });
});
