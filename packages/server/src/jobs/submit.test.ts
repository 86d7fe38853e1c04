import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import {
  makePrimary,
  markUnlinked,
  seedBankAccount,
  seedLink,
  seedOrganization,
} from '../store/testing/seed.ts';
import { submitJob, validateSubmission } from './submit.ts';
import { openJobHarness } from './testing/job-harness.ts';

const HISTORY = 'bank_b.accounts.transaction_history.search';
const LOGIN = 'employment.auth.npki_session.login';
const CIPHERTEXT = 'abcdefghijklmnop';

const code = (name: string) => expect.objectContaining({ code: name });

describeStores('POST /v1/jobs', (stores) => {
  let store: Store;

  beforeAll(async () => {
    store = await stores.open();
  });

  it('a new job is accepted, the same key and request is a replay of it (R1)', async () => {
    const harness = await openJobHarness(stores, store);
    const first = await harness.submit({ idempotencyKey: 'k' });
    const again = await harness.submit({ idempotencyKey: 'k' });
    expect(first.replayed).toBe(false);
    expect(again).toEqual({ replayed: true, response: first.response });
    expect(await harness.countJobs()).toBe(1);
  });

  it('the answer has exactly six fields (R2, R33, R34)', async () => {
    const harness = await openJobHarness(stores, store);
    const { response } = await harness.submit();
    expect(response).toEqual({
      job_id: expect.stringMatching(/^job_[0-9A-HJKMNP-TV-Z]{26}$/),
      status: 'QUEUED',
      env_scope: 'sandbox',
      provider: 'bank_b',
      action: 'bank_b.accounts.list',
      submitted_at: expect.stringMatching(/\+09:00$/),
    });
  });

  it('a replay shows the state of now, also of a failed job (R3, R10)', async () => {
    const harness = await openJobHarness(stores, store);
    await harness.submit({ idempotencyKey: 'k' });
    for (const job of await harness.claim()) {
      await harness.finish(job, { status: 'FAILED', error: '{"code":"JOB_TIMEOUT"}' });
    }
    const again = await harness.submit({ idempotencyKey: 'k' });
    expect(again).toMatchObject({ replayed: true, response: { status: 'FAILED' } });
  });

  it('a replay costs nothing, a job its tokens by day and month (R4)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId, { provider: 'tax_portal' });
    const changes = {
      envScope: 'real_test' as const,
      action: 'tax_portal.c1.certificates_list',
      idempotencyKey: 'k',
    };
    await harness.submit(changes);
    const used = await harness.usedTokens('real_test');
    await harness.submit(changes);
    expect(await harness.usedTokens('real_test')).toEqual(used);
    expect(Object.values(used)).toEqual([1, 1]);
  });

  it('the 101st token of a day is refused, and then replays too (R5, R19)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    const real = { envScope: 'real_test' as const };
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => harness.submit({ ...real, idempotencyKey: `n-${i}` })),
    );
    await expect(harness.submit(real)).rejects.toEqual(code('POLICY_QUOTA_EXCEEDED'));
    await expect(harness.submit({ ...real, idempotencyKey: 'n-0' })).rejects.toMatchObject({
      code: 'POLICY_QUOTA_EXCEEDED',
      status: 429,
      details: {
        message: { ko: expect.stringContaining('필요한 토큰은 1개, 남은 토큰은 0개') },
        retryAfterSeconds: expect.any(Number),
      },
    });
    expect((await harness.submit()).replayed).toBe(false);
  });

  it.each([
    ['provider and action', { action: 'bank_c.accounts.list' }],
    ['params', { params: { a: 2 } }],
    ['encrypted fields (R11)', { encryptedFields: { account_password: 'ponmlkjihgfedcba' } }],
  ])('the same key with other %s conflicts (R6)', async (_, change) => {
    const harness = await openJobHarness(stores, store);
    const base = {
      idempotencyKey: 'k',
      params: { a: 1 },
      encryptedFields: { account_password: CIPHERTEXT },
    };
    await harness.submit(base);
    await expect(harness.submit({ ...base, ...change })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_CONFLICT',
      status: 409,
    });
    expect(await harness.countJobs()).toBe(1);
  });

  it('the link that was chosen is part of the request (R6, R7, R8)', async () => {
    const harness = await openJobHarness(stores, store);
    const x = await seedLink(stores, harness.organizationId, { primary: true });
    const y = await seedLink(stores, harness.organizationId);
    await harness.submit({ idempotencyKey: 'k' });
    expect((await harness.submit({ idempotencyKey: 'k', accountLinkId: x })).replayed).toBe(true);
    expect(
      (await harness.submit({ idempotencyKey: 'k', accountLinkId: x.toUpperCase() })).replayed,
    ).toBe(true);
    const other = harness.submit({ idempotencyKey: 'k', accountLinkId: y });
    await expect(other).rejects.toEqual(code('IDEMPOTENCY_KEY_CONFLICT'));
    await makePrimary(stores, y);
    await expect(harness.submit({ idempotencyKey: 'k' })).rejects.toEqual(
      code('IDEMPOTENCY_KEY_CONFLICT'),
    );
  });

  it('a key belongs to one organization and environment (R9)', async () => {
    const here = await openJobHarness(stores, store);
    const there = await openJobHarness(stores, store);
    await seedLink(stores, here.organizationId);
    const answers = [
      await here.submit({ idempotencyKey: 'k' }),
      await here.submit({ idempotencyKey: 'k', envScope: 'real_test' }),
      await there.submit({ idempotencyKey: 'k' }),
    ];
    expect(answers.map(({ replayed }) => replayed)).toEqual([false, false, false]);
    expect(new Set(answers.map(({ response }) => response.job_id)).size).toBe(3);
  });

  it('the order of names in params does not matter (R14)', async () => {
    const harness = await openJobHarness(stores, store);
    await harness.submit({ idempotencyKey: 'k', params: { a: 1, b: { c: 2, d: 3 } } });
    const again = { idempotencyKey: 'k', params: { b: { d: 3, c: 2 }, a: 1 } };
    expect((await harness.submit(again)).replayed).toBe(true);
  });

  it('without a link: the primary, else the only one, else an error (R17)', async () => {
    const harness = await openJobHarness(stores, store);
    const chosen = async (changes = {}) =>
      (await validateSubmission(harness.dependencies, harness.request(changes))).account_link_id;
    expect(await chosen()).toBeNull();
    const real = { envScope: 'real_test' as const };
    await expect(chosen(real)).rejects.toEqual(code('ACCOUNT_LINK_NOT_FOUND'));
    expect(await chosen({ ...real, action: LOGIN })).toBeNull();

    const x = await seedLink(stores, harness.organizationId);
    expect(await chosen(real)).toBe(x);
    const y = await seedLink(stores, harness.organizationId);
    await expect(chosen()).rejects.toMatchObject({ code: 'ACCOUNT_LINK_REQUIRED', status: 400 });
    await makePrimary(stores, y);
    expect(await chosen()).toBe(y);
    expect(await harness.countJobs()).toBe(0);
  });

  it('an explicit link must be the own, active one of the provider, also in sandbox (D21)', async () => {
    const harness = await openJobHarness(stores, store);
    const stranger = await seedOrganization(stores);
    const gone = await seedLink(stores, harness.organizationId);
    await markUnlinked(stores, gone);
    for (const accountLinkId of [
      randomUUID(),
      await seedLink(stores, stranger),
      await seedLink(stores, harness.organizationId, { provider: 'bank_c' }),
      gone,
    ]) {
      await expect(harness.submit({ accountLinkId })).rejects.toEqual(
        code('ACCOUNT_LINK_NOT_FOUND'),
      );
    }
    const suspended = await seedLink(stores, harness.organizationId, { status: 'SUSPENDED' });
    expect((await harness.submit({ accountLinkId: suspended })).replayed).toBe(false);
  });

  it('makes one job of twenty identical submissions to two processes at once (R18, D29)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    const there = { ...harness.dependencies, store: await stores.open() };
    for (const envScope of ['sandbox', 'real_test'] as const) {
      const same = { idempotencyKey: 'same', envScope };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          n % 2 === 0 ? harness.submit(same) : submitJob(there, harness.request(same)),
        ),
      );
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(answers.map(({ response }) => response.job_id)).size).toBe(1);
    }
    expect(await harness.countJobs()).toBe(2);
    expect(Object.values(await harness.usedTokens('real_test'))).toEqual([1, 1]);
  });

  it('one link serves every environment (D22)', async () => {
    const harness = await openJobHarness(stores, store, { organization: { paid: true } });
    const link = await seedLink(stores, harness.organizationId);
    for (const envScope of ['sandbox', 'real_test', 'production'] as const) {
      const request = harness.request({ envScope });
      const { account_link_id } = await validateSubmission(harness.dependencies, request);
      expect(account_link_id).toBe(link);
    }
  });

  it('a replay is answered after its link is gone (D20)', async () => {
    const harness = await openJobHarness(stores, store);
    const link = await seedLink(stores, harness.organizationId);
    const real = { envScope: 'real_test' as const };
    await harness.submit({ ...real, idempotencyKey: 'omitted' });
    await harness.submit({ ...real, idempotencyKey: 'explicit', accountLinkId: link });
    await markUnlinked(stores, link);
    const explicit = await harness.submit({
      ...real,
      idempotencyKey: 'explicit',
      accountLinkId: link,
    });
    expect(explicit.replayed).toBe(true);
    expect((await harness.submit({ ...real, idempotencyKey: 'omitted' })).replayed).toBe(true);
    const other = { ...real, idempotencyKey: 'omitted', params: { a: 1 } };
    await expect(harness.submit(other)).rejects.toEqual(code('ACCOUNT_LINK_NOT_FOUND'));
    await expect(harness.submit({ ...real, idempotencyKey: 'explicit' })).rejects.toEqual(
      code('ACCOUNT_LINK_NOT_FOUND'),
    );
  });

  it('a replay is answered after its link is gone where none is needed (D20)', async () => {
    const harness = await openJobHarness(stores, store);
    for (const wish of [
      { envScope: 'sandbox', action: 'bank_b.accounts.list' },
      { envScope: 'real_test', action: 'tax_portal.s1.login' },
    ] as const) {
      const provider = wish.action.slice(0, wish.action.indexOf('.'));
      const link = await seedLink(stores, harness.organizationId, { provider });
      const omitted = { ...wish, idempotencyKey: `omitted ${provider}` };
      const explicit = { ...wish, idempotencyKey: `explicit ${provider}` };
      const { response } = await harness.submit(omitted);
      await harness.submit({ ...explicit, accountLinkId: link });
      await markUnlinked(stores, link);
      expect(await harness.submit(omitted)).toMatchObject({
        replayed: true,
        response: { job_id: response.job_id },
      });
      const conflict = code('IDEMPOTENCY_KEY_CONFLICT');
      await expect(harness.submit({ ...omitted, params: { a: 1 } })).rejects.toEqual(conflict);
      await expect(harness.submit(explicit)).rejects.toEqual(conflict);
    }
  });

  it('production needs a paid plan (R21)', async () => {
    const free = await openJobHarness(stores, store);
    const paid = await openJobHarness(stores, store, { organization: { paid: true } });
    const production = { envScope: 'production' as const };
    await expect(free.submit(production)).rejects.toMatchObject({
      code: 'POLICY_PAID_REQUIRED',
      status: 402,
    });
    await seedLink(stores, paid.organizationId);
    await paid.submit(production);
    expect(Object.values(await paid.usedTokens('production'))).toEqual([1, 1]);
  });

  it('refuses in the decided order (D19)', async () => {
    const harness = await openJobHarness(stores, store, {
      organization: { realTest: false, consentBlocked: true },
    });
    const submitter = { ...harness.request().submitter, allowedEnvScopes: ['sandbox'] as const };
    const wrong = {
      submitter,
      envScope: 'real_test' as const,
      params: { password: 'x' },
      provider: 'no_such',
      action: 'no_such.action',
    };
    const steps = [
      [wrong, 'VALIDATION_INVALID_FIELD', 400],
      [{ ...wrong, params: {} }, 'VALIDATION_INVALID_FIELD', 400],
      [
        { ...wrong, params: {}, provider: 'bank_b', action: HISTORY },
        'POLICY_ENV_NOT_ALLOWED',
        403,
      ],
      [{ envScope: 'real_test' as const }, 'POLICY_ENV_NOT_APPROVED', 403],
      [{ envScope: 'sandbox' as const }, 'POLICY_CONSENT_REQUIRED', 403],
    ] as const;
    for (const [changes, name, status] of steps) {
      await expect(harness.submit(changes)).rejects.toMatchObject({ code: name, status });
    }
    expect(await harness.countJobs()).toBe(0);
  });

  it('a new job needs right params, a living product and a configured institution (D23, D66, D141)', async () => {
    const retired = { versionId: 1, resultSchema: 'x.v1', retired: true };
    const closed = await openJobHarness(stores, store, { rules: { isConfigured: () => false } });
    await expect(closed.submit()).rejects.toEqual(code('PROVIDER_NOT_CONFIGURED'));
    const gone = await openJobHarness(stores, store, { rules: { product: async () => retired } });
    await expect(gone.submit()).rejects.toMatchObject({ code: 'PRODUCT_RETIRED', status: 410 });
    const harness = await openJobHarness(stores, store);
    const incomplete = harness.submit({ action: 'si_edi.b1.resources.faqs.detail' });
    await expect(incomplete).rejects.toMatchObject({
      status: 422,
      details: { fields: [{ loc: ['body', 'params', 'qstn_sn'], type: 'missing' }] },
    });
    const future = harness.submit({ action: HISTORY, params: { to_date: '29991231' } });
    await expect(future).rejects.toMatchObject({
      status: 422,
      details: { fields: [{ loc: ['body', 'params', 'to_date'] }] },
    });
  });

  it('accounts named in params as if on all accounts are refused, not ignored (R69)', async () => {
    const harness = await openJobHarness(stores, store);
    for (const ids of [[], ['a'], null]) {
      const several = { action: HISTORY, params: { bank_account_credential_ids: ids } };
      await expect(harness.submit(several)).rejects.toMatchObject({
        status: 400,
        details: { fields: [{ loc: ['body', 'params', 'bank_account_credential_ids'] }] },
      });
    }
    expect(await harness.countJobs()).toBe(0);
    const without = { params: { bank_account_credential_ids: [] } };
    await expect(harness.submit(without)).resolves.toMatchObject({ replayed: false });
  });

  it('a bank account must belong to the link, and the default is used without one (R128, D19)', async () => {
    const harness = await openJobHarness(stores, store);
    const link = await seedLink(stores, harness.organizationId, { primary: true });
    const other = await seedLink(stores, harness.organizationId);
    const elsewhere = await seedBankAccount(stores, other, { isDefault: true });
    const real = { envScope: 'real_test' as const, action: HISTORY };
    const missing = code('BANK_ACCOUNT_CREDENTIAL_NOT_FOUND');
    await expect(harness.submit(real)).rejects.toEqual(missing);
    for (const id of [elsewhere, '', 'x', 'x\u0000', `${elsewhere}\u0000`]) {
      const foreign = { ...real, params: { bank_account_credential_id: id } };
      await expect(harness.submit(foreign)).rejects.toEqual(missing);
    }
    expect(await harness.usedTokens('real_test')).toEqual({});

    const named = await seedBankAccount(stores, link);
    const standing = await seedBankAccount(stores, link, { isDefault: true });
    await harness.submit(real);
    await harness.submit({
      ...real,
      params: { bank_account_credential_id: named.toUpperCase(), memo: 'a\u0000b' },
    });
    const rows = await stores.execute(
      'select bank_account_credential_id as id from jobs where organization_id = ? order by seq',
      [harness.organizationId],
    );
    expect(rows.map(({ id }) => id)).toEqual([standing, named]);
    await harness.submit({ action: HISTORY, params: { bank_account_credential_id: 'anything' } });
  });

  it('notes names given twice and seals what is encrypted (R59, D64)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    await harness.submit({
      envScope: 'real_test',
      params: { memo: 'x' },
      encryptedFields: { memo: CIPHERTEXT },
    });
    const [row] = await stores.execute(
      'select duplicate_fields, encrypted_fields from jobs where organization_id = ?',
      [harness.organizationId],
    );
    expect(row?.duplicate_fields).toBe('["memo"]');
    expect(Buffer.from(row?.encrypted_fields as Uint8Array).includes(CIPHERTEXT)).toBe(false);
  });

  it('answers validate-only with link, cost and remaining tokens, and submits nothing (D19)', async () => {
    const harness = await openJobHarness(stores, store);
    const link = await seedLink(stores, harness.organizationId, { provider: 'tax_portal' });
    const request = harness.request({
      envScope: 'real_test',
      action: 'tax_portal.c1.certificates_list',
    });
    expect(await validateSubmission(harness.dependencies, request)).toEqual({
      valid: true,
      env_scope: 'real_test',
      provider: 'tax_portal',
      action: 'tax_portal.c1.certificates_list',
      account_link_id: link,
      usage_tokens: 1,
      remaining_tokens: 100,
    });
    expect(await harness.countJobs()).toBe(0);
    expect(await harness.usedTokens('real_test')).toEqual({});
  });

  it('the daily tokens are back at Korean midnight and not before (R20)', async () => {
    const own = await openJobHarness(stores, store);
    await seedLink(stores, own.organizationId);
    const real = { envScope: 'real_test' as const };
    const untilMidnight = async () => {
      const now = await store.clock.now();
      return 86_400 - (Math.floor(now / 1000 + 32_400) % 86_400);
    };
    // Early in a Korean day, so that the submissions of this test do not straddle its end.
    await store.clock.advance({ seconds: (await untilMidnight()) + 1 });
    await Promise.all(Array.from({ length: 100 }, () => own.submit(real)));
    await store.clock.advance({ seconds: (await untilMidnight()) - 60 });
    await expect(own.submit(real)).rejects.toEqual(code('POLICY_QUOTA_EXCEEDED'));
    await store.clock.advance({ seconds: 61 });
    expect((await own.submit(real)).replayed).toBe(false);
  });

  it('one job of a lane is ready, the rest wait behind it (D16)', async () => {
    const harness = await openJobHarness(stores, store);
    await seedLink(stores, harness.organizationId);
    await Promise.all(Array.from({ length: 10 }, () => harness.submit()));
    const rows = await stores.execute(
      'select ready, ready_at from jobs where organization_id = ? order by seq',
      [harness.organizationId],
    );
    expect(rows.map(({ ready }) => Number(ready))).toEqual([1, ...Array(9).fill(0)]);
    expect(rows.map(({ ready_at }) => ready_at !== null)).toEqual([true, ...Array(9).fill(false)]);
  });
});
