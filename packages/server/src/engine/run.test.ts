import { createHash } from 'node:crypto';
import type { ErrorCode } from '@changgu/contract';
import { beforeAll, expect, it } from 'vitest';
import type { Call } from '../institutions/connector.ts';
import { InstitutionError } from '../institutions/institution-error.ts';
import { readTimeline } from '../jobs/timeline.ts';
import { ServiceError } from '../rules/service-error.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedBankAccount, seedLink } from '../store/testing/seed.ts';
import { openRunHarness, type RunHarness } from './testing/run-harness.ts';

const READ = 'bank_b.accounts.list';
const HISTORY = 'bank_b.accounts.transaction_history.search';
const ISSUE = 'tax_portal.c1.business_registration';
const CIPHERTEXT = 'QUJDREVGR0hJSktMTU5PUA==';

describeStores('running a job', (stores) => {
  let harness: RunHarness;
  let linkId: string;
  let taxLinkId: string;
  beforeAll(async () => {
    harness = await openRunHarness(stores, await stores.open());
    linkId = await seedLink(stores, harness.jobs.organizationId, { primary: true });
    taxLinkId = await seedLink(stores, harness.jobs.organizationId, {
      provider: 'tax_portal',
      primary: true,
    });
  });

  const read = (changes = {}) => harness.run({ action: READ, ...changes });
  const issue = (changes = {}) => harness.run({ action: ISSUE, ...changes });
  const fail = (code: ErrorCode, details = {}) => {
    throw new InstitutionError(code, details);
  };

  it('plays a sandbox job and echoes its params as they were sent (R36, R37, D72)', async () => {
    const params = { b: 1.0, a: null, Nested: { query: '가' } };
    const job = await read({ envScope: 'sandbox', params });
    expect(job).toMatchObject({ status: 'SUCCEEDED', error: null });
    expect(JSON.parse(job.result ?? '')).toEqual({ mock: true, params_echo: params });
  });

  it('ends as X-Sandbox-Outcome asks (D73, R27)', async () => {
    const play = (action: string, sandboxOutcome: string) =>
      harness.run({ envScope: 'sandbox', action, sandboxOutcome });
    expect(await play(READ, 'FAILED;code=PROVIDER_MAINTENANCE')).toMatchObject({
      status: 'FAILED',
      error: { code: 'PROVIDER_MAINTENANCE', retryable: true },
    });
    expect(await play(ISSUE, 'FAILED')).toMatchObject({
      status: 'FAILED',
      error: { code: 'PROVIDER_UPSTREAM_ERROR', retryable: false },
    });
    expect(await play(READ, 'TIMEOUT')).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'JOB_TIMEOUT' },
    });
    expect(await play(READ, 'CANCELED')).toMatchObject({ status: 'CANCELED', error: null });
  });

  it('fails a job with a name in both params and encrypted_fields, in every environment (R59, D62, D63)', async () => {
    for (const envScope of ['sandbox', 'real_test'] as const) {
      const job = await read({
        envScope,
        params: { memo: 'x' },
        encryptedFields: { memo: CIPHERTEXT },
      });
      expect(job).toMatchObject({
        status: 'FAILED',
        error: { code: 'ENCRYPTED_FIELD_DUPLICATE', retryable: false },
      });
    }
    expect(harness.decrypted).toEqual([]);
  });

  it('fails an undeclared encrypted field before anything is decrypted, except in sandbox (R127, D61, D62)', async () => {
    harness.connect(READ, async () => ({ success: true }));
    const job = await read({ encryptedFields: { srch_txt: CIPHERTEXT } });
    expect(job).toMatchObject({
      status: 'FAILED',
      result: null,
      error: { code: 'VALIDATION_INVALID_FIELD', retryable: false },
    });
    expect(harness.decrypted).toEqual([]);
    const sandbox = await read({ envScope: 'sandbox', encryptedFields: { srch_txt: CIPHERTEXT } });
    expect(sandbox.status).toBe('SUCCEEDED');
    expect(harness.decrypted).toEqual([]);
  });

  it('gives declared fields to the connector as secrets, never inside params (D61)', async () => {
    const accountId = await seedBankAccount(stores, linkId);
    let seen: Pick<Call, 'params' | 'secrets'> | undefined;
    harness.connect(HISTORY, async ({ params, secrets }) => {
      seen = { params, secrets };
      return { success: true };
    });
    const params = { bank_account_credential_id: accountId };
    const encryptedFields = { account_password: CIPHERTEXT };
    const job = await harness.run({ action: HISTORY, params, encryptedFields });
    expect(job.status).toBe('SUCCEEDED');
    expect(seen).toEqual({ params, secrets: { account_password: `plain of ${CIPHERTEXT}` } });
    harness.decrypted.length = 0;
  });

  it('answers a ciphertext that serves another field or link like one that does not decrypt (D159)', async () => {
    const accountId = await seedBankAccount(stores, linkId);
    harness.connect(HISTORY, async () => ({ success: true }));
    const uses: unknown[] = [];
    harness.bindCiphertexts = async (...use) => {
      uses.push(use);
      return 'account_password';
    };
    const encryptedFields = { account_password: CIPHERTEXT };
    const job = await harness.run({
      action: HISTORY,
      params: { bank_account_credential_id: accountId },
      encryptedFields,
    });
    harness.bindCiphertexts = async () => null;
    harness.decrypted.length = 0;
    expect(uses).toEqual([[harness.jobs.organizationId, encryptedFields, linkId]]);
    expect(job).toMatchObject({
      status: 'FAILED',
      error: { code: 'ENCRYPTED_FIELD_DECRYPT_FAILED', retryable: false },
    });
  });

  it('repeats a read after a transient failure, at most twice, after one and three seconds (D02)', async () => {
    let calls = 0;
    harness.connect(READ, async () => {
      calls += 1;
      return calls < 3 ? fail('PROVIDER_UPSTREAM_ERROR', { upstreamStatus: 502 }) : { calls };
    });
    const running = await harness.start({ action: READ });
    expect(await nextPause()).toBe(1_000);
    expect(await nextPause()).toBe(3_000);
    const job = await running.ended;
    expect(job).toMatchObject({ status: 'SUCCEEDED', retryCount: 2, result: '{"calls":3}' });

    harness.connect(READ, async () => fail('PROVIDER_UPSTREAM_ERROR', { upstreamStatus: 502 }));
    const failing = await harness.start({ action: READ });
    await nextPause();
    await nextPause();
    expect(await failing.ended).toMatchObject({
      status: 'FAILED',
      retryCount: 2,
      error: { code: 'PROVIDER_UPSTREAM_ERROR', upstream_status: 502, retryable: true },
    });
  });

  it('repeats neither refusals nor irreversible actions (D02)', async () => {
    let calls = 0;
    const failing = (code: ErrorCode) => async () => {
      calls += 1;
      return fail(code);
    };
    harness.connect(READ, failing('PROVIDER_VALIDATION_ERROR'));
    harness.connect(ISSUE, failing('PROVIDER_UPSTREAM_ERROR'));
    expect((await read()).error).toMatchObject({ code: 'PROVIDER_VALIDATION_ERROR' });
    const issued = await issue();
    expect(issued.error).toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR', retryable: false });
    expect(calls).toBe(2);
  });

  it('reports an unconfirmed outcome when issuing fails after its submit step (R28, D03)', async () => {
    harness.connect(ISSUE, async (call) => {
      await call.pointOfNoReturn();
      return fail('PROVIDER_UPSTREAM_ERROR', { upstreamStatus: 500 });
    });
    expect(await issue()).toMatchObject({
      status: 'FAILED',
      error: { code: 'PROVIDER_OUTCOME_UNCONFIRMED', retryable: false, upstream_status: 500 },
    });
    harness.connect(ISSUE, async (call) => {
      await call.pointOfNoReturn();
      return fail('PROVIDER_VALIDATION_ERROR', {
        refused: true,
        providerErrorRef: 'tax_portal:E1',
      });
    });
    expect((await issue()).error).toMatchObject({
      code: 'PROVIDER_VALIDATION_ERROR',
      retryable: false,
      provider_error_ref: 'tax_portal:E1',
    });
  });

  it('ends at once when a connector passes the point of no return a second time (D03)', async () => {
    harness.connect(ISSUE, async (call) => {
      await call.pointOfNoReturn();
      await call.pointOfNoReturn();
      return { success: true };
    });
    expect(await issue()).toMatchObject({
      status: 'FAILED',
      error: { code: 'PROVIDER_OUTCOME_UNCONFIRMED', retryable: false },
    });
  });

  it('does not pass the point of no return after a cancel request (D03, D05)', async () => {
    let sent = false;
    harness.connect(ISSUE, async (call) => {
      const [job] = await stores.execute(
        "select id from jobs where action = ? and status = 'RUNNING' and organization_id = ?",
        [ISSUE, harness.jobs.organizationId],
      );
      await harness.jobs.store.jobs.cancel({
        access: harness.jobs.access('real_test'),
        jobId: String(job?.id),
      });
      await call.pointOfNoReturn();
      sent = true;
      return { success: true };
    });
    expect(await issue()).toMatchObject({
      status: 'CANCELED',
      error: null,
    });
    expect(sent).toBe(false);
  });

  it('ends a read at its deadline, even one that ignores its signal (D04)', async () => {
    harness.connect(READ, () => new Promise(() => {}));
    const running = await harness.start({ action: READ });
    harness.timers.pass(running.job.remainingMs);
    expect(await running.ended).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'JOB_TIMEOUT', retryable: true },
    });
  });

  it('tells a connector how much of its time is left, so that a long history ends in a part (D04)', async () => {
    const left: number[] = [];
    const looked = Promise.withResolvers<void>();
    harness.connect(READ, (call) => {
      left.push(call.timeLeft());
      looked.resolve();
      return new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => {
          left.push(call.timeLeft());
          reject(call.signal.reason);
        });
      });
    });
    const running = await harness.start({ action: READ });
    await looked.promise;
    harness.timers.pass(running.job.remainingMs);
    await running.ended;
    expect(left).toEqual([running.job.remainingMs, 0]);
  });

  it('waits longer for a job past the point of no return (D03, D04)', async () => {
    const passed = Promise.withResolvers<void>();
    harness.connect(ISSUE, async (call) => {
      await call.pointOfNoReturn();
      passed.resolve();
      return new Promise(() => {});
    });
    const running = await harness.start({ action: ISSUE });
    await passed.promise;
    await Promise.resolve();
    harness.timers.pass(running.job.remainingMs);
    expect(running.held.signal.aborted).toBe(false);
    harness.timers.pass(30_000);
    expect(await running.ended).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'PROVIDER_OUTCOME_UNCONFIRMED', retryable: false },
    });
  });

  it('writes nothing once the lease is lost (D03)', async () => {
    harness.connect(READ, () => new Promise(() => {}));
    const running = await harness.start({ action: READ });
    running.held.stop('lost');
    expect(await running.ended).toMatchObject({ status: 'RUNNING' });
    await harness.jobs.finish(running.job);
  });

  it('retries writing the end when the store was briefly unavailable', async () => {
    harness.connect(READ, async () => ({ success: true }));
    const { finish } = harness.engine;
    const refused = Promise.withResolvers<void>();
    harness.engine.finish = async () => {
      harness.engine.finish = finish;
      refused.resolve();
      throw new ServiceError('SERVICE_UNAVAILABLE');
    };
    const running = await harness.start({ action: READ });
    await refused.promise;
    await nextPause();
    expect(await running.ended).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('leaves a job to be taken over when the store is lost before the end', async () => {
    const { readCallRows } = harness.engine;
    harness.engine.readCallRows = async () => {
      throw new ServiceError('SERVICE_UNAVAILABLE');
    };
    const running = await harness.start({ action: READ });
    expect(await running.ended).toMatchObject({ status: 'RUNNING' });
    harness.engine.readCallRows = readCallRows;
    await harness.jobs.finish(running.job);
  });

  it('shows progress and keeps the steps in the timeline (D138, D07)', async () => {
    const written = Promise.withResolvers<void>();
    const { progress } = harness.engine;
    harness.engine.progress = async (input) => {
      const answer = await progress(input);
      written.resolve();
      return answer;
    };
    harness.connect(READ, async (call) => {
      call.progress(1, 4, '은행에 접속하고 있습니다');
      harness.timers.pass(1_000);
      await written.promise;
      call.progress(3, 4, '계좌를 조회하고 있습니다');
      return { success: true };
    });
    const running = await harness.start({ action: READ });
    await written.promise;
    const [row] = await stores.execute('select progress, progress_message from jobs where id = ?', [
      running.job.id,
    ]);
    expect([45, 100]).toContain(Number(row?.progress));
    const { id } = await running.ended;
    harness.engine.progress = progress;
    const access = harness.jobs.access('real_test');
    const timeline = await readTimeline(harness.jobs.store, access, id, 'ko');
    expect(timeline.events.map(({ kind, message }) => [kind, message])).toEqual([
      ['accepted', null],
      ['claimed', null],
      ['step', '은행에 접속하고 있습니다'],
      ['step', '계좌를 조회하고 있습니다'],
      ['ended', 'SUCCEEDED'],
    ]);
  });

  it('ends although its progress cannot be written, and logs why', async () => {
    const { progress } = harness.engine;
    const tried = Promise.withResolvers<void>();
    harness.engine.progress = async () => {
      tried.resolve();
      throw Object.assign(new Error('secret detail'), { code: 'ENOSPC' });
    };
    harness.connect(READ, async (call) => {
      call.progress(1, 4, '은행에 접속하고 있습니다');
      harness.timers.pass(1_000);
      await tried.promise;
      return { success: true };
    });
    const { id, status } = await harness.run({ action: READ });
    harness.engine.progress = progress;
    expect(status).toBe('SUCCEEDED');
    const line = harness.log.find((each) => each.includes('progress of a job')) ?? '';
    expect(line).toContain(id);
    expect(line).toContain('ENOSPC');
    expect(line).not.toContain('secret detail');
  });

  it('stores files sealed, and answers a long list that is complete as a file only (R43, R44, D71, D74, D76)', async () => {
    const bytes = Buffer.from('엑셀');
    const list =
      (rows: number, more = {}) =>
      async (call: Call) => {
        await call.artifacts.add({ bytes, contentType: 'application/x', extension: 'xlsx' });
        return { row_count: rows, ...more };
      };
    const accountId = await seedBankAccount(stores, linkId);
    const params = { bank_account_credential_id: accountId };
    harness.connect(HISTORY, list(1_000));
    const short = await harness.run({ action: HISTORY, params });
    expect(short).toMatchObject({ result: '{"row_count":1000}', resultAsFile: false });
    // Only the data say that a part is missing.
    harness.connect(HISTORY, list(1_001, { next: { to_date: '20260301' } }));
    const part = await harness.run({ action: HISTORY, params });
    expect(part).toMatchObject({ resultAsFile: false });
    expect(part.result).toContain('20260301');
    harness.connect(HISTORY, list(1_001, { next: null }));
    const long = await harness.run({ action: HISTORY, params });
    expect(long).toMatchObject({ status: 'SUCCEEDED', result: null, resultAsFile: true });
    const [artifact] = await stores.execute('select * from artifacts where job_id = ?', [long.id]);
    expect(artifact).toMatchObject({ sha256: createHash('sha256').update(bytes).digest('hex') });
    expect(Number(artifact?.size_bytes)).toBe(bytes.length);
    expect(artifact?.name).toMatch(/^[^\s/]+_\d{8}\.xlsx$/);
    const [chunk] = await stores.execute(
      'select bytes from artifact_chunks where artifact_id = ?',
      [String(artifact?.id)],
    );
    expect(Buffer.from(chunk?.bytes as Uint8Array).includes(bytes)).toBe(false);
  });

  it('gives each file of a job a name of its own, in the order of their addition (D71)', async () => {
    harness.connect(READ, async (call) => {
      for (const qualifier of ['첨부', '첨부', '표지']) {
        const bytes = Buffer.from(qualifier);
        await call.artifacts.add({
          bytes,
          contentType: 'application/x',
          extension: 'pdf',
          qualifier,
        });
      }
      return { success: true };
    });
    const { id } = await read();
    const rows = await stores.execute('select name from artifacts where job_id = ? order by id', [
      id,
    ]);
    const ends = rows.map(({ name }) => String(name).replace(/^.+_\d{8}_/, ''));
    expect(ends).toEqual(['첨부.pdf', '첨부_2.pdf', '표지.pdf']);
  });

  it('fails with INTERNAL_ERROR on an internal fault, with details in the log only', async () => {
    harness.connect(READ, async () => {
      throw new TypeError('something private');
    });
    const job = await read();
    expect(job.error).toMatchObject({ code: 'INTERNAL_ERROR', retryable: true });
    expect(JSON.stringify(job)).not.toContain('private');
    expect(harness.log.join()).toContain('a run failed unexpectedly');
  });

  it('ends whatever characters an institution sends', async () => {
    const odd = 'a\u0000b\ud800';
    harness.connect(READ, (call) => {
      call.progress(1, 2, odd);
      return fail('PROVIDER_MAINTENANCE', { message: odd, providerErrorRef: `bank_b:${odd}` });
    });
    expect(await read()).toMatchObject({
      status: 'FAILED',
      error: { code: 'PROVIDER_MAINTENANCE' },
    });
    harness.connect(READ, async (call) => {
      call.progress(1, 2, odd);
      const bytes = Buffer.from('x');
      await call.artifacts.add({ bytes, contentType: odd, extension: odd, qualifier: odd });
      return { success: true, text: odd };
    });
    const job = await read();
    expect(job).toMatchObject({ status: 'SUCCEEDED' });
    expect(JSON.parse(job.result ?? '')).toEqual({ success: true, text: odd });
    const files = 'select content_type from artifacts where job_id = ?';
    expect(await stores.execute(files, [job.id])).toMatchObject([
      { content_type: 'application/octet-stream' },
    ]);
  });

  it('suspends the password that the bank refused, but not its replacement (D51)', async () => {
    const { replace, refuse } = await refusedAccount();
    expect(await refuse(replace)).toBe('ACTIVE');
    expect(await refuse(async () => {})).toBe('SUSPENDED');
  });

  it('suspends it also where it was sealed with another key meanwhile (D51)', async () => {
    const { seal, refuse } = await refusedAccount();
    expect(await refuse(() => seal('anew'))).toBe('SUSPENDED');
  });

  /** A bank account whose password the bank refuses, after something has happened to it. */
  async function refusedAccount() {
    const id = await seedBankAccount(stores, linkId);
    const seal = (sealed: string) =>
      stores.execute('update bank_accounts set credential = ? where id = ?', [
        Buffer.from(sealed),
        id,
      ]);
    await seal('old');
    return {
      seal,
      replace: async () => {
        const { organizationId, store } = harness.jobs;
        const account = { organizationId, accountLinkId: linkId, id };
        const actor = { kind: 'system', id: 'test', traceId: null } as const;
        const credential = Buffer.from('new');
        await store.bankAccounts.replaceCredential({ ...account, credential, actor });
      },
      async refuse(meanwhile: () => Promise<unknown>) {
        harness.connect(HISTORY, async () => {
          await meanwhile();
          return fail('PROVIDER_CREDENTIAL_REJECTED');
        });
        const params = { bank_account_credential_id: id };
        const { error } = await harness.run({ action: HISTORY, params });
        expect(error).toMatchObject({ code: 'PROVIDER_CREDENTIAL_REJECTED' });
        const sql = 'select status from bank_accounts where id = ?';
        return (await stores.execute(sql, [id]))[0]?.status;
      },
    };
  }

  it('suspends a rejected credential and never sends it again (R129, D51)', async () => {
    let calls = 0;
    harness.connect(READ, async () => {
      calls += 1;
      return fail('PROVIDER_CREDENTIAL_REJECTED');
    });
    for (let i = 0; i < 2; i += 1) {
      expect((await read()).error).toMatchObject({
        code: 'PROVIDER_CREDENTIAL_REJECTED',
        retryable: false,
      });
    }
    expect(calls).toBe(1);
    const status = await stores.execute('select id, status from account_links where id in (?, ?)', [
      linkId,
      taxLinkId,
    ]);
    expect(new Map(status.map((row) => [row.id, row.status]))).toEqual(
      new Map([
        [linkId, 'SUSPENDED'],
        [taxLinkId, 'ACTIVE'],
      ]),
    );
  });

  /** Lets the pause under way pass, and answers how long it was. */
  async function nextPause(): Promise<number> {
    for (;;) {
      // The deadline is planned from the start; a pause is whatever comes before it.
      const [soonest = Number.POSITIVE_INFINITY] = harness.timers.planned();
      if (soonest <= 10_000) {
        harness.timers.pass(soonest);
        return soonest;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});
