import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { leavable } from './leavable.ts';

describe('a generator that can be left', () => {
  it('ends without a value when it is left while it is loaded', async () => {
    const loading = Promise.withResolvers<void>();
    let begun = false;
    async function* endless(): AsyncGenerator<number, void, void> {
      begun = true;
      for (;;) yield 1;
    }
    const generator = leavable(async () => {
      await loading.promise;
      return endless();
    });
    const first = generator.next();
    const left = generator.return();
    loading.resolve();
    expect(await first).toEqual({ done: true, value: undefined });
    expect(await left).toEqual({ done: true, value: undefined });
    expect(begun).toBe(false);
  });

  it('tells what it reads from that it was left', async () => {
    async function* untilLeft(left: AbortSignal): AsyncGenerator<number, void, void> {
      yield 1;
      await new Promise<void>((resolve) => {
        left.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    const generator = leavable(async (left) => untilLeft(left));
    expect(await generator.next()).toEqual({ done: false, value: 1 });
    const second = generator.next();
    await nextTurn();
    const left = generator.return();
    expect(await second).toEqual({ done: true, value: undefined });
    expect(await left).toEqual({ done: true, value: undefined });
  });
});
