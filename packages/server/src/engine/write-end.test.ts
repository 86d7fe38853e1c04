import { beforeAll, expect, it } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedLink } from '../store/testing/seed.ts';
import { openRunHarness, type RunHarness } from './testing/run-harness.ts';

const READ = 'bank_b.accounts.list';
const ISSUE = 'tax_portal.c1.business_registration';

describeStores('writing how a run ended', (stores) => {
  let harness: RunHarness;
  beforeAll(async () => {
    harness = await openRunHarness(stores, await stores.open());
    for (const provider of ['bank_b', 'tax_portal']) {
      await seedLink(stores, harness.jobs.organizationId, { provider, primary: true });
    }
  });

  /** Fails the next call only. */
  function failOnce<Name extends 'seal' | 'sealFile'>(name: Name, error: Error): void {
    const whole = harness.vault[name];
    harness.vault[name] = async () => {
      harness.vault[name] = whole;
      throw error;
    };
  }

  async function passUntilEnded(running: Awaited<ReturnType<RunHarness['start']>>) {
    let over = false;
    const ended = running.ended.finally(() => {
      over = true;
    });
    while (!over) {
      const [soonest = 0] = harness.timers.planned();
      if (soonest <= 1_000) harness.timers.pass(soonest);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ended;
  }

  it('keeps a known success past the point of no return while it cannot be sealed', async () => {
    const errors = [new ServiceError('SERVICE_UNAVAILABLE'), new TypeError('a fault of ours')];
    for (const [name, error] of [
      ...errors.map((each) => ['seal', each] as const),
      ...errors.map((each) => ['sealFile', each] as const),
    ]) {
      failOnce(name, error);
      harness.connect(ISSUE, async (call) => {
        await call.pointOfNoReturn();
        const bytes = Buffer.from('pdf');
        await call.artifacts.add({ bytes, contentType: 'application/pdf', extension: 'pdf' });
        return { issued: true };
      });
      const ended = await passUntilEnded(await harness.start({ action: ISSUE }));
      expect(ended).toMatchObject({ status: 'SUCCEEDED', result: '{"issued":true}' });
    }
  });

  it('keeps the result of a read and of a sandbox job while the store is unavailable', async () => {
    harness.connect(READ, async () => ({ accounts: 1 }));
    for (const envScope of ['real_test', 'sandbox'] as const) {
      failOnce('seal', new ServiceError('SERVICE_UNAVAILABLE'));
      const ended = await passUntilEnded(await harness.start({ action: READ, envScope }));
      expect(ended.status).toBe('SUCCEEDED');
    }
  });

  it('names a file without asking the store before the run has ended', async () => {
    let calls = 0;
    harness.now = async () => {
      calls += 1;
      if (calls === 1) throw new ServiceError('SERVICE_UNAVAILABLE');
      return harness.jobs.store.clock.now();
    };
    harness.connect(ISSUE, async (call) => {
      await call.pointOfNoReturn();
      const bytes = Buffer.from('pdf');
      await call.artifacts.add({ bytes, contentType: 'application/pdf', extension: 'pdf' });
      return { issued: true };
    });
    const ended = await passUntilEnded(await harness.start({ action: ISSUE }));
    expect([ended.status, calls]).toEqual(['SUCCEEDED', 2]);
  });

  it('keeps a result however many steps were reported at once', async () => {
    harness.connect(READ, async (call) => {
      for (let n = 1; n <= 14_000; n += 1) call.progress(n, 14_000, '계좌를 조회하고 있습니다');
      return { accounts: 1 };
    });
    const ended = await passUntilEnded(await harness.start({ action: READ }));
    expect(ended).toMatchObject({ status: 'SUCCEEDED', result: '{"accounts":1}' });
  });

  it('fails a read whose result can never be sealed', async () => {
    harness.connect(READ, async () => ({ accounts: 1 }));
    failOnce('seal', new TypeError('a fault of ours'));
    const ended = await passUntilEnded(await harness.start({ action: READ }));
    expect(ended).toMatchObject({ status: 'FAILED', error: { code: 'INTERNAL_ERROR' } });
  });
});
