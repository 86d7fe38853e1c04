import { Changgu, type Job, ValidationError } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

const HISTORY = 'bank_b.accounts.transaction_history.search';

/** The refusal of a submission that the compiler would not let pass. */
async function refusalOf(body: object): Promise<unknown> {
  const service = new FakeService();
  const client = new Changgu(service.clientOptions);
  const prepared = await client.jobs.prepare({ action: 'bank_b.accounts.list' });
  const wrong = { ...prepared, body: JSON.stringify({ provider: 'bank_b', ...body }) };
  return service.clock.runUntil(client.jobs.submit(wrong).catch((error: unknown) => error));
}

describe('the fake service', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says what went wrong in the language of the client', async () => {
    const service = new FakeService().willEnd('bank_b.accounts.list', {
      state: 'FAILED',
      code: 'PROVIDER_MAINTENANCE',
    });
    const client = new Changgu({ ...service.clientOptions, language: 'en' });
    const failed = client.jobs.run({ action: 'bank_b.accounts.list' }).catch(String);
    expect(await service.clock.runUntil(failed)).toContain('maintenance');
    expect(await client.jobs.get('job_1').catch(String)).toMatch(/job .*found|no such job/i);
  });

  it.each([
    ['ko', ['작업 순서를 기다리고 있습니다', '작업을 시작하고 있습니다']],
    ['en', ['Waiting for its turn', 'Starting the job']],
  ] as const)(
    'says in %s what a job waits for and what it does, as the service does (D08)',
    async (language, said) => {
      const service = new FakeService();
      const client = new Changgu({ ...service.clientOptions, language });
      const job = await client.jobs.submit({ action: 'bank_b.accounts.list' });
      const { items } = await client.jobs.list({ limit: 1 });
      expect(items[0]?.progressMessage).toBe(said[0]);
      const seen = [(await client.jobs.get(job.id)).progressMessage];
      const onProgress = ({ progressMessage }: Job) => void seen.push(progressMessage);
      await service.clock.runUntil(job.wait({ onProgress }));
      expect(seen.filter((message) => message !== null)).toEqual(said);
    },
  );

  it('refuses an action that there is not, and names the one that was meant', async () => {
    const error = await refusalOf({ action: 'bank_b.accounts.lst' });
    expect(error).toBeInstanceOf(ValidationError);
    expect(String(error)).toContain('did you mean bank_b.accounts.list?');
  });

  it('refuses a submission without a param that is required', async () => {
    const action = 'si_edi.b1.resources.faqs.detail';
    const error = await refusalOf({ provider: 'si_edi', action });
    expect(String(error)).toMatch(/body\.params\.\w+: Field required/);
  });

  it('refuses a secret that the action does not declare', async () => {
    const error = await refusalOf({
      action: 'bank_b.accounts.list',
      encrypted_fields: { account_password: 'A'.repeat(684) },
    });
    expect(String(error)).toContain('body.encrypted_fields.account_password');
  });

  it('takes an action of one’s own once it is said how its jobs end', async () => {
    const service = new FakeService().willEnd('own_bank.loans.list', { state: 'SUCCEEDED' });
    const client = new Changgu(service.clientOptions);
    const run = client.jobs.run({ action: 'own_bank.loans.list', params: { any: 1 } });
    expect((await service.clock.runUntil(run)).sandbox).toBe(true);
  });

  it('is driven by its own clock under fake timers, set before or after it was made', async () => {
    vi.useFakeTimers();
    const service = new FakeService();
    const client = new Changgu(service.clientOptions);
    const run = client.jobs.run({ action: 'bank_b.accounts.list' });
    expect((await service.clock.runUntil(run)).sandbox).toBe(true);
  });

  it('follows the fake timers themselves in real time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    const service = new FakeService({ realTime: true }).willEnd(HISTORY, {
      state: 'SUCCEEDED',
      runningMs: 3_600_000,
    });
    const client = new Changgu(service.clientOptions);
    const result = vi.fn();
    const run = client.jobs.run({ action: HISTORY, params: {} }).then(result);
    await vi.waitFor(() => expect(service.jobs).toHaveLength(1), { timeout: 1000, interval: 1 });
    await vi.advanceTimersByTimeAsync(3_500_000);
    expect(result).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200_000);
    await run;
    expect(result).toHaveBeenCalledOnce();
  });

  it('is ready in less than 50 ms', async () => {
    const took: number[] = [];
    for (let round = 0; round < 5; round++) {
      const start = performance.now();
      const service = new FakeService();
      const client = new Changgu(service.clientOptions);
      await service.clock.runUntil(client.encryptionKeys.get());
      took.push(performance.now() - start);
    }
    // The least of them: the others share the machine with whatever else runs.
    expect(Math.min(...took)).toBeLessThan(50);
  });
});
