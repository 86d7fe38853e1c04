import { beforeAll, beforeEach, expect, it } from 'vitest';
import { InstitutionError } from '../institutions/institution-error.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedBankAccount, seedLink } from '../store/testing/seed.ts';
import { resultViolations } from '../validation/result-check.ts';
import { openRunHarness, type RunHarness } from './testing/run-harness.ts';

const READ = 'bank_b.accounts.list';
const HISTORY = 'bank_b.accounts.transaction_history.search';
const SPACING_SECONDS = 60;

const unreadable = () => Promise.reject(new InstitutionError('PROVIDER_UPSTREAM_ERROR'));

describeStores('a job that has sent a credential', (stores) => {
  let harness: RunHarness;
  let accountLinkId: string;
  beforeAll(async () => {
    harness = await openRunHarness(stores, await stores.open());
  });
  beforeEach(async () => {
    accountLinkId = await seedLink(stores, harness.jobs.organizationId);
    harness.resultViolations = () => [];
  });

  const read = () => harness.run({ action: READ, accountLinkId });

  async function suspended(table: 'account_links' | 'bank_accounts', id: string) {
    const [row] = await stores.execute(`select suspended_code from ${table} where id = ?`, [id]);
    return row?.suspended_code ?? null;
  }

  it('is not run again when the answer could not be read, and may be submitted again (D165)', async () => {
    let logins = 0;
    harness.connect(READ, (call) => {
      logins += 1;
      return call.presentCredential(unreadable);
    });
    expect(await read()).toMatchObject({
      status: 'FAILED',
      retryCount: 0,
      error: { code: 'PROVIDER_UPSTREAM_ERROR', retryable: true },
    });
    expect(logins).toBe(1);
  });

  it('is not run again either when a later page fails (D165)', async () => {
    let logins = 0;
    harness.connect(READ, async (call) => {
      await call.presentCredential(async () => {
        logins += 1;
      });
      return unreadable();
    });
    expect(await read()).toMatchObject({ status: 'FAILED', retryCount: 0 });
    expect(logins).toBe(1);
  });

  it('keeps the next job of the link waiting for a minute when the answer was unclear (D165)', async () => {
    harness.connect(READ, (call) => call.presentCredential(unreadable));
    await read();
    await harness.jobs.submit({ action: READ, accountLinkId, envScope: 'real_test' });
    expect(await harness.jobs.claim('real_test')).toEqual([]);
    await harness.jobs.store.clock.advance({ seconds: SPACING_SECONDS - 5 });
    expect(await harness.jobs.claim('real_test')).toEqual([]);
    await harness.jobs.store.clock.advance({ seconds: 6 });
    expect(await harness.jobs.claim('real_test')).toHaveLength(1);
  });

  it('keeps a job waiting that was queued before, and no sandbox job (D165)', async () => {
    harness.connect(READ, (call) => call.presentCredential(unreadable));
    const running = harness.start({ action: READ, accountLinkId });
    await harness.jobs.submit({ action: READ, accountLinkId, envScope: 'real_test' });
    await (await running).ended;
    expect(await harness.jobs.claim('real_test')).toEqual([]);
    await harness.jobs.submit({ action: READ, accountLinkId, envScope: 'sandbox' });
    expect(await harness.jobs.claim('sandbox')).toHaveLength(1);
  });

  it('keeps nothing waiting when the institution refused it clearly', async () => {
    harness.connect(READ, (call) =>
      call.presentCredential(() =>
        Promise.reject(new InstitutionError('PROVIDER_VALIDATION_ERROR')),
      ),
    );
    await read();
    await harness.jobs.submit({ action: READ, accountLinkId, envScope: 'real_test' });
    expect(await harness.jobs.claim('real_test')).toHaveLength(1);
  });

  it('keeps the link waiting too when it is stopped before the answer came (D165)', async () => {
    const sent = Promise.withResolvers<void>();
    harness.connect(READ, (call) =>
      call.presentCredential(() => {
        sent.resolve();
        return new Promise(() => {});
      }),
    );
    const running = await harness.start({ action: READ, accountLinkId });
    await sent.promise;
    harness.timers.pass(running.job.remainingMs);
    expect(await running.ended).toMatchObject({ status: 'TIMEOUT' });
    await harness.jobs.submit({ action: READ, accountLinkId, envScope: 'real_test' });
    expect(await harness.jobs.claim('real_test')).toEqual([]);
  });

  it('suspends the account also over a password sent with the call: the bank counts both (R129, D51)', async () => {
    const bankAccountId = await seedBankAccount(stores, accountLinkId);
    await stores.execute('update bank_accounts set credential = ? where id = ?', [
      new Uint8Array([1]),
      bankAccountId,
    ]);
    let sent = 0;
    harness.connect(HISTORY, (call) =>
      call.presentCredential(() => {
        sent += 1;
        return Promise.reject(new InstitutionError('PROVIDER_CREDENTIAL_REJECTED'));
      }),
    );
    for (let i = 0; i < 2; i += 1) {
      const { error } = await harness.run({
        action: HISTORY,
        accountLinkId,
        params: { bank_account_credential_id: bankAccountId },
        encryptedFields: { account_password: 'QUJDREVGR0hJSktMTU5PUA==' },
      });
      expect(error).toMatchObject({ code: 'PROVIDER_CREDENTIAL_REJECTED', retryable: false });
    }
    expect(sent).toBe(1);
    expect(await suspended('bank_accounts', bankAccountId)).toBe('PROVIDER_CREDENTIAL_REJECTED');
    expect(await suspended('account_links', accountLinkId)).toBeNull();
  });

  it('fails where the result is not what the catalog promises, and logs it for the author', async () => {
    harness.resultViolations = resultViolations;
    harness.connect(READ, async () => ({ success: true, items: [{ balance: 'much' }] }));
    expect(await read()).toMatchObject({
      status: 'FAILED',
      error: { code: 'PROVIDER_UPSTREAM_ERROR' },
    });
    expect(harness.log.at(-1)).toContain('data.items.0.balance');
    expect(harness.log.at(-1)).not.toContain('much');
  });
});
