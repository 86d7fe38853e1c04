import { Changgu } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { expect, it } from 'vitest';
import { jobNewsOf } from './job-news.ts';

it('opens its stream again for the next host after it was refused', async () => {
  const service = new FakeService();
  let asked = 0;
  service.route(({ path }) => {
    if (path !== '/v1/events') return null;
    asked += 1;
    return { status: 403, body: {} };
  });
  const refused: (() => void)[] = [];
  const log = { info() {}, error() {}, warn: () => refused.shift()?.() };
  const news = jobNewsOf(new Changgu(service.clientOptions), log);
  for (const count of [1, 2]) {
    const warned = new Promise<void>((resolve) => void refused.push(resolve));
    news.subscribe(() => {});
    await service.clock.runUntil(warned);
    await Promise.resolve();
    expect(asked).toBe(count);
  }
});
