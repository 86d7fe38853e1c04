import {
  ConflictError,
  JobCanceledError,
  JobFailedError,
  type Middleware,
  NotFoundError,
} from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { ACTION, failureOf, fake, HISTORY } from './support/fake.ts';

describe('client.jobs', () => {
  it('submits, waits and reads in one', async () => {
    const { client, run } = fake();
    const params = { from_date: '20261101', direction: 'in' } as const;
    const result = await run(client.jobs.run({ action: HISTORY, params }));
    expect(result).toMatchObject({
      sandbox: true,
      data: { mock: true, params_echo: params },
      schema: `${HISTORY}.v1`,
      artifacts: [],
      downloadUrl: null,
    });
  });

  it('turns the envelope to camelCase and passes params and data as on the wire', async () => {
    const { client, service, run } = fake();
    service.willEnd(HISTORY, {
      state: 'SUCCEEDED',
      data: { row_count: 0, items: [{ row_index: 1 }] },
    });
    const result = await run(
      client.jobs.run({ action: HISTORY, params: { from_date: '20261101' } }),
    );
    expect(result.data).toEqual({ row_count: 0, items: [{ row_index: 1 }] });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({
      provider: 'bank_b',
      action: HISTORY,
      params: { from_date: '20261101' },
    });
    const job = await client.jobs.get(service.jobs[0]?.id ?? '');
    expect(job).toMatchObject({
      envScope: 'sandbox',
      finishedAt: expect.stringMatching(/\+09:00$/),
    });
  });

  it('gives a handle that knows key, state and replay', async () => {
    const { client, run } = fake();
    const first = await client.jobs.submit({ action: ACTION, idempotencyKey: 'k-1' });
    expect(first).toMatchObject({ status: 'QUEUED', replayed: false, idempotencyKey: 'k-1' });
    await run(first.wait());
    const again = await client.jobs.submit({ action: ACTION, idempotencyKey: 'k-1' });
    expect(again).toMatchObject({ id: first.id, status: 'SUCCEEDED', replayed: true });
  });

  describe('under a key that is used again after a failure', () => {
    const request = { action: ACTION, idempotencyKey: 'k-1' } as const;
    const failedOnce = async (hadEffect: 'no' | 'unknown') => {
      const made = fake();
      made.service.willEnd(ACTION, { state: 'FAILED', code: 'PROVIDER_UPSTREAM_ERROR', hadEffect });
      const first = await made.client.jobs.submit(request);
      await made.run(first.wait());
      made.service.willEnd(ACTION, { state: 'SUCCEEDED' });
      return { ...made, first };
    };

    it('runs again where nothing had taken effect, as one job for everyone who repeats it', async () => {
      const { client, service, run, first } = await failedOnce('no');
      const again = await run(client.jobs.submit(request));
      expect(again).toMatchObject({ replayed: false, idempotencyKey: 'k-1~1' });
      expect((await run(again.wait())).status).toBe('SUCCEEDED');
      const other = await run(client.with({}).jobs.submit(request));
      expect(other).toMatchObject({ id: again.id, replayed: true });
      expect(service.jobs.map(({ id }) => id)).toEqual(
        expect.arrayContaining([first.id, again.id]),
      );
      expect(service.jobs).toHaveLength(2);
    });

    it('finds the failed job where it may have taken effect', async () => {
      const { client, service, run, first } = await failedOnce('unknown');
      expect(await run(client.jobs.submit(request))).toMatchObject({ id: first.id });
      expect(service.jobs).toHaveLength(1);
    });

    it('finds the failed job by the same prepared bytes, unless they are submitted again (R10)', async () => {
      const { client, run, first } = await failedOnce('no');
      const prepared = await client.jobs.prepare(request);
      expect(await run(client.jobs.submit(prepared))).toMatchObject({ id: first.id });
      const again = await run(client.jobs.submitAgain(prepared));
      expect(again.id).not.toBe(first.id);
    });

    it('finds the job that a person canceled, because a repeated call does not overrule them (D125)', async () => {
      const { client, service, run } = fake();
      const first = await client.jobs.submit(request);
      await client.jobs.cancel(first.id);
      expect(await run(first.wait())).toMatchObject({ status: 'CANCELED', hadEffect: 'no' });
      const again = await run(client.jobs.submit(request));
      expect(again).toMatchObject({ id: first.id, status: 'CANCELED', replayed: true });
      expect(service.jobs).toHaveLength(1);
    });

    it('finds the job of the very call whose first answer was lost', async () => {
      const { client, service, run, first } = await failedOnce('no');
      service.faults.add({ kind: 'drop', when: 'after', on: /POST/ });
      expect(await run(client.jobs.submit(request))).toMatchObject({ id: first.id });
    });
  });

  it('run passes the options of a request to the reading of the result, too', async () => {
    const { client, run } = fake();
    const operations: string[] = [];
    const note: Middleware = (request, next, { operation }) => {
      operations.push(operation);
      return next(request);
    };
    await run(client.jobs.run({ action: ACTION }, { middleware: [note] }));
    expect(operations).toEqual(['submitJob', 'readJobResult']);
  });

  it('throws the reason of a failed job, with its key', async () => {
    const { client, run } = fake();
    const error = await failureOf(
      run(
        client.jobs.run({
          action: ACTION,
          sandboxOutcome: 'FAILED;code=PROVIDER_MAINTENANCE',
          idempotencyKey: 'k-2',
        }),
      ),
    );
    expect(error).toBeInstanceOf(JobFailedError);
    expect(error).toMatchObject({
      code: 'JOB_FAILED',
      status: 'FAILED',
      retryable: true,
      idempotencyKey: 'k-2',
      failure: { code: 'PROVIDER_MAINTENANCE', retryable: true, providerErrorRef: null },
    });
  });

  it('waits for a failed job without throwing: an end state is data', async () => {
    const { client, run } = fake();
    const handle = await client.jobs.submit({ action: ACTION, sandboxOutcome: 'TIMEOUT' });
    expect(await run(handle.wait())).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'JOB_TIMEOUT' },
    });
  });

  it('cancels, and says so at the result', async () => {
    const { client, service, run } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 60_000 });
    const handle = await client.jobs.submit({ action: ACTION });
    expect(await handle.cancel()).toMatchObject({ status: 'CANCELED' });
    expect(await failureOf(run(handle.result()))).toBeInstanceOf(JobCanceledError);
  });

  it('cannot cancel what has ended', async () => {
    const { client, run } = fake();
    const handle = await client.jobs.submit({ action: ACTION });
    await run(handle.wait());
    expect(await failureOf(client.jobs.cancel(handle.id))).toMatchObject({
      name: 'ConflictError',
      code: 'JOB_ALREADY_FINISHED',
    });
  });

  it('refuses the result of an unfinished job and says when to ask again', async () => {
    const { client } = fake();
    const { id } = await client.jobs.submit({ action: ACTION });
    const error = await failureOf(client.jobs.result(id));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ code: 'JOB_NOT_SUCCEEDED', retryAfterMs: 2000 });
  });

  it('does not see a job of another environment', async () => {
    const { client } = fake();
    const { id } = await client.jobs.submit({ action: ACTION });
    const other = client.with({ envScope: 'real_test' });
    expect(await failureOf(other.jobs.get(id))).toBeInstanceOf(NotFoundError);
  });

  it('lists page by page to the end, every job once', async () => {
    const { client } = fake();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await client.jobs.submit({ action: ACTION })).id);
    expect(await client.jobs.list({ limit: 2 })).toMatchObject({ nextCursor: '2' });
    const walked: string[] = [];
    for await (const { jobId } of client.jobs.each({ limit: 2 })) walked.push(jobId);
    expect(walked).toEqual(ids.reverse());
  });

  it('stops a walk whose cursor comes twice', async () => {
    const { client, service } = fake();
    service.route(({ path }) =>
      path === '/v1/jobs' ? { status: 200, body: { items: [], next_cursor: 'same' } } : null,
    );
    const walk = async () => {
      for await (const _ of client.jobs.each());
    };
    expect(await failureOf(walk())).toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('validates without making a job (D19)', async () => {
    const { client, service } = fake();
    expect(await client.jobs.validate({ action: ACTION })).toMatchObject({
      valid: true,
      usageTokens: 1,
      remainingTokens: null,
    });
    expect(service.jobs).toHaveLength(0);
  });

  it('yields every change as an event, the end last, and ends', async () => {
    const { client, service, run } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 2000, runningMs: 3000 });
    const handle = await client.jobs.submit({ action: ACTION });
    const collect = async () => {
      const states: string[] = [];
      for await (const { status } of handle.events()) states.push(status);
      return states;
    };
    expect(await run(collect())).toEqual(['RUNNING', 'SUCCEEDED']);
  });

  it('stops polling when the event loop is left', async () => {
    const { client, service, run, clock } = fake();
    service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 2000, runningMs: 3_600_000 });
    const handle = await client.jobs.submit({ action: ACTION });
    const first = async () => {
      for await (const { status } of handle.events()) return status;
      return null;
    };
    expect(await run(first())).toBe('RUNNING');
    const before = service.requests.length;
    await clock.advance(120_000);
    expect(service.requests.length).toBe(before);
    expect(clock.pendingTimers).toBe(0);
  });

  it('limit the whole run by timeoutMs, a submission that hangs included', async () => {
    const { client, service, clock, run } = fake();
    service.faults.add({ kind: 'silence', when: 'before' });
    const startedAt = clock.now();
    const work = client.jobs.run({ action: ACTION }, { timeoutMs: 2_000 });
    expect(await failureOf(run(work))).toMatchObject({ name: 'TimeoutError', clock: 'total' });
    expect(clock.now() - startedAt).toBe(2_000);
  });

  it.each(['run', 'result'] as const)(
    'limit reading the result by what is left of timeoutMs (%s)',
    async (method) => {
      const { client, service, clock, run } = fake();
      service.willEnd(ACTION, { state: 'SUCCEEDED', queuedMs: 100, runningMs: 100 });
      service.faults.add({ kind: 'silence', when: 'before', on: /\/result/ });
      const request = { action: ACTION };
      const job = method === 'result' ? await client.jobs.submit(request) : null;
      service.faults.add({ kind: 'refusal', code: 'RATE_LIMITED', retryAfterSeconds: 1 });
      const startedAt = clock.now();
      const limit = { timeoutMs: 2_000 };
      const work = job ? job.result(limit) : client.jobs.run(request, limit);
      expect(await failureOf(run(work))).toMatchObject({ name: 'TimeoutError', clock: 'total' });
      expect(clock.now() - startedAt).toBe(2_000);
    },
  );
});
