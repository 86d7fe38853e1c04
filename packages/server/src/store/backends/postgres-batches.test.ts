import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchOutcome } from '../transactions/script.ts';
import { BatchRefusedError, createBatches } from './postgres-batches.ts';

type Outcomes = readonly BatchOutcome<unknown>[];

/** Batches whose transactions end when the test says so. */
function openBatches() {
  const started: { inputs: readonly unknown[]; end: PromiseWithResolvers<Outcomes> }[] = [];
  const add = createBatches({
    together(inputs) {
      const end = Promise.withResolvers<Outcomes>();
      started.push({ inputs, end });
      return end.promise;
    },
    alone: async (input) => `${String(input)} alone`,
  });
  const sizes = () => started.map(({ inputs }) => inputs.length);
  return { add, started, sizes };
}

const done = (inputs: readonly unknown[]): Outcomes =>
  inputs.map((value) => ({ kind: 'done', value }));

describe('calls that share a transaction', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('go together when they come together, at most 32 in each of at most two', async () => {
    const { add, started, sizes } = openBatches();
    const answers = Array.from({ length: 70 }, (_, n) => add(n));
    await turn();
    await turn();
    expect(sizes()).toEqual([32, 32]);
    started[0]?.end.resolve(done(started[0].inputs));
    expect(await answers[0]).toBe(0);
    await turn();
    vi.advanceTimersByTime(5);
    expect(sizes()).toEqual([32, 32, 6]);
  });

  it('wait for the transaction before them when they are few, but not while it waits for a lock', async () => {
    const { add, started, sizes } = openBatches();
    void add(0);
    await turn();
    const answer = add(1);
    void add(2);
    await turn();
    expect(sizes()).toEqual([1]);
    started[0]?.end.resolve(done([0]));
    await turn();
    await turn();
    expect(sizes()).toEqual([1, 2]);
    void add(3);
    vi.advanceTimersByTime(5);
    expect(sizes()).toEqual([1, 2, 1]);
    started[1]?.end.resolve(done([1, 2]));
    expect(await answer).toBe(1);
  });

  it('are few when they are long', async () => {
    const { add, sizes } = openBatches();
    for (let n = 0; n < 3; n += 1) void add({ params: 'x'.repeat(700_000) });
    await turn();
    vi.advanceTimersByTime(5);
    expect(sizes()).toEqual([1, 1]);
  });

  it('are run again, before others, when they depend on each other', async () => {
    const { add, started } = openBatches();
    const answers = [add('a'), add('b')];
    await turn();
    started[0]?.end.resolve([{ kind: 'done', value: 'a' }, { kind: 'again' }]);
    expect(await answers[0]).toBe('a');
    await turn();
    await turn();
    expect(started[1]?.inputs).toEqual(['b']);
    started[1]?.end.resolve([{ kind: 'failed', error: new Error('refused') }]);
    await expect(answers[1]).rejects.toThrow('refused');
  });

  it('run alone when their transaction was rolled back', async () => {
    const { add, started } = openBatches();
    const answers = [add('a'), add('b')];
    await turn();
    started[0]?.end.reject(new BatchRefusedError());
    expect(await Promise.all(answers)).toEqual(['a alone', 'b alone']);
  });

  it('all fail when it is unknown what was committed', async () => {
    const { add, started } = openBatches();
    const answers = Promise.allSettled([add('a'), add('b')]);
    await turn();
    started[0]?.end.reject(new Error('connection lost'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
