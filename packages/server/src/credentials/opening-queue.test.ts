import { describe, expect, it, vi } from 'vitest';
import { createOpeningQueue } from './opening-queue.ts';

const here = new AbortController().signal;
const never = () => new Promise<never>(() => {});

describe('opening certificates (D166)', () => {
  it('refuses an organization with five unfinished, without making others wait for them', async () => {
    const queue = createOpeningQueue();
    for (let n = 0; n < 5; n += 1) void queue.run(1, here, never);
    await expect(queue.run(1, here, never)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterSeconds: 5 },
    });
    expect(await queue.run(2, here, async () => 'opened')).toBe('opened');
  });

  it('never begins for a caller who is gone', async () => {
    const queue = createOpeningQueue();
    const first = Promise.withResolvers<void>();
    const running = queue.run(1, here, () => first.promise);
    const caller = new AbortController();
    const open = vi.fn(async () => {});
    const waiting = queue.run(1, caller.signal, open);
    caller.abort();
    first.resolve();
    await running;
    await expect(waiting).rejects.toThrow();
    expect(open).not.toHaveBeenCalled();
    expect(await queue.run(1, here, async () => 'next')).toBe('next');
  });

  it('continues after a failure', async () => {
    const queue = createOpeningQueue();
    const failure = queue.run(1, here, async () => {
      throw new Error('wrong password');
    });
    await expect(failure).rejects.toThrow('wrong password');
    expect(await queue.run(1, here, async () => 'opened')).toBe('opened');
  });
});
