import { ApiError, type ChangguError, isChangguError, type JobHandle } from '@changgu/sdk';
import type { FakeService, Fault } from '@changgu/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTION, countedSignal, failureOf, fake } from './support/fake.ts';

const when = fc.constantFrom('before' as const, 'after' as const);
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constant('refuse' as const) }),
  fc.record({ kind: fc.constant('drop' as const), when }),
  fc.record({ kind: fc.constant('silence' as const), when }),
  fc.record({ kind: fc.constant('truncate' as const) }),
  fc.record({ kind: fc.constant('stall' as const) }),
  fc.record({
    kind: fc.constant('refusal' as const),
    code: fc.constantFrom('SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'),
    retryAfterSeconds: fc.integer({ min: 0, max: 200 }),
  }),
);
const faults = fc.array(fault, { maxLength: 8 });
const options = { numRuns: 60 };
const FAILING_LIMIT_MS = 5 * 60_000;

/** The outcome of one logical submission, the caller's own repeats included. */
async function submitUntilSettled(
  service: FakeService,
  submit: () => Promise<JobHandle>,
): Promise<JobHandle | ChangguError> {
  try {
    return await service.clock.runUntil(submit());
  } catch (error) {
    if (isChangguError(error)) return error;
    throw error;
  }
}

describe('under any schedule of faults', () => {
  it('one logical submission makes at most one job, and every outcome names its key', async () => {
    await fc.assert(
      fc.asyncProperty(faults, fc.integer({ min: 0, max: 6 }), async (schedule, maxRetries) => {
        const { client, service } = fake({ maxRetries, retryBudget: false });
        service.faults.add(...schedule);
        const prepared = await client.jobs.prepare({ action: ACTION });
        const first = await submitUntilSettled(service, () => client.jobs.submit(prepared));
        expect(first.idempotencyKey).toBe(prepared.idempotencyKey);
        // The caller may repeat a stored submission as often as it likes.
        for (let more = 0; more < 3; more++) {
          await submitUntilSettled(service, () => client.jobs.submit(prepared));
        }
        expect(service.jobs.length).toBeLessThanOrEqual(1);
        expect(isChangguError(first) || service.jobs.length === 1).toBe(true);
      }),
      options,
    );
  });

  it('no poll comes before the hint of the answer before it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40_000 }),
        fc.integer({ min: 0, max: 40_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (queuedMs, runningMs, random) => {
          const { client, service, run } = fake({ random: () => random }, { longPolling: false });
          service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs, runningMs });
          const handle = await client.jobs.submit({ action: ACTION });
          const hints: number[] = [];
          await run(
            handle.wait({ onProgress: (job) => hints.push((job.retryAfterSeconds ?? 0) * 1000) }),
          );
          const polls = service.requests.filter(({ method }) => method === 'GET');
          polls.slice(1).forEach(({ at }, index) => {
            expect(at - (polls[index]?.at ?? 0)).toBeGreaterThanOrEqual(hints[index] ?? 0);
          });
        },
      ),
      options,
    );
  });

  it('a wait ends with the job, or with a typed error, and leaves no timer behind', async () => {
    await fc.assert(
      fc.asyncProperty(faults, fc.boolean(), async (schedule, longPolling) => {
        const { client, service, run, clock } = fake({}, { longPolling });
        const handle = await client.jobs.submit({ action: ACTION });
        service.faults.add(...schedule);
        const began = clock.now();
        const outcome = await run(handle.wait()).catch((error: unknown) => error);
        // Only a hint above the ceiling, or nothing but failures for five minutes, may end a wait.
        const tooLong = outcome instanceof ApiError && (outcome.retryAfterMs ?? 0) > 120_000;
        const failing = isChangguError(outcome) && clock.now() - began > FAILING_LIMIT_MS;
        expect(tooLong || failing || Object(outcome).status === 'SUCCEEDED').toBe(true);
        expect(clock.pendingTimers).toBe(0);
      }),
      options,
    );
  });

  it('an abort settles at once and leaves no listener and no timer', async () => {
    await fc.assert(
      fc.asyncProperty(faults, fc.integer({ min: 0, max: 60_000 }), async (schedule, abortAt) => {
        const { client, service, clock } = fake({ retryBudget: false });
        service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 120_000 });
        service.faults.add(...schedule);
        const { controller, signal, listeners } = countedSignal();
        const work = client.jobs
          .run({ action: ACTION }, { signal })
          .catch((error: unknown) => error);
        await clock.advance(abortAt);
        controller.abort();
        // The clock stands still: what waits for anything would not end.
        const outcome = await work;
        expect(isChangguError(outcome)).toBe(true);
        expect(listeners()).toBe(0);
        // The fake's own silent answers may hold a timer; the client's are gone.
        await clock.advance(0);
        expect(clock.pendingTimers).toBe(0);
      }),
      options,
    );
  });
});

describe('a signal that lives long', () => {
  it('collects no listeners over many calls', async () => {
    const { client, run } = fake();
    const { signal, listeners } = countedSignal();
    for (let call = 0; call < 20; call++) {
      await run(client.jobs.run({ action: ACTION }, { signal }));
    }
    await failureOf(client.jobs.get('job_unknown', { signal }));
    expect(listeners()).toBe(0);
  });
});
