import { expect, it } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import type { Step } from '../store/queue/runs.ts';
import { createProgressWriter } from './progress-writer.ts';
import { createManualTimers } from './testing/manual-timers.ts';

const RUN = { id: 'job', owner: 'w', attempt: 0 };

function open(answer: () => boolean = () => true) {
  const timers = createManualTimers();
  const written: Step[] = [];
  const failures: unknown[] = [];
  const progress = async ({ steps }: { readonly steps: readonly Step[] }) => {
    const mine = answer();
    written.push(...steps);
    return mine;
  };
  const ends = { lost: () => {}, failed: (error: unknown) => failures.push(error) };
  return {
    timers,
    written,
    failures,
    writer: createProgressWriter(RUN, { progress }, timers, ends),
  };
}

function tookMs(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + step.tookMs, 0);
}

it('writes a bounded number of steps at once, and loses no time in between (D138)', async () => {
  const { timers, written, writer } = open();
  for (let n = 1; n <= 1_000; n += 1) {
    writer.progress(n, 1_000, `step ${n}`);
    timers.pass(1);
  }
  const last = await writer.close();
  const all = [...written, ...last];
  expect(all.length).toBeLessThanOrEqual(200);
  expect(tookMs(all)).toBe(1_000);
  expect(all[0]).toMatchObject({ message: 'step 1', tookMs: 1 });
  expect(all.at(-1)?.message).toBe('step 1000');
});

it('keeps no more of them while nothing can be written', async () => {
  const { timers, failures, writer } = open(() => {
    throw new ServiceError('SERVICE_UNAVAILABLE');
  });
  for (let n = 1; n <= 1_000; n += 1) {
    writer.progress(n, 1_000, `step ${n}`);
    timers.pass(1);
    await Promise.resolve();
  }
  const last = await writer.close();
  expect(failures.length).toBeGreaterThan(1);
  expect(last.length).toBeLessThanOrEqual(200);
  expect(tookMs(last)).toBe(1_000);
});
